import type { MessagePort } from 'node:worker_threads';
import type { CallPool, CallResult } from '../calls/call-pool.ts';
import type { CallMessage, CallReply } from './thread-protocol.ts';

/** Makes the calls that a thread requests over a port. */
export function serveCalls(callPool: CallPool, port: MessagePort, signal: AbortSignal): void {
  port.on('message', ({ id, request, spentMs }: CallMessage) => {
    void callPool
      .ask({ ...request, signal }, spentMs)
      .then((result) => port.postMessage({ id, result } satisfies CallReply));
  });
}

/** A call pool that forwards calls to the main thread. No signals are sent: aborting a run ends its threads. */
export function remoteCallPool(port: MessagePort, about: Pick<CallPool, 'id' | 'contextLength'>): CallPool {
  const waiting = new Map<number, (result: CallResult) => void>();
  let ids = 0;
  port.on('message', ({ id, result }: CallReply) => {
    waiting.get(id)?.(result);
    waiting.delete(id);
  });
  return {
    ...about,
    ask: ({ signal: _, ...request }, spentMs) =>
      new Promise((resolve) => {
        const id = ids++;
        waiting.set(id, resolve);
        port.postMessage({ id, request, spentMs } satisfies CallMessage);
      }),
  };
}
