import type { MessagePort } from 'node:worker_threads';
import type { Asked, CallDesk } from '../calls/call-desk.ts';
import type { DeskAnswer, DeskRequest } from './thread-protocol.ts';

/** Serves a desk to a thread. */
export function serveDesk(desk: CallDesk, port: MessagePort, signal: AbortSignal): void {
  port.on('message', ({ id, request, spentMs }: DeskRequest) => {
    void desk
      .ask({ ...request, signal }, spentMs)
      .then((asked) => port.postMessage({ id, asked } satisfies DeskAnswer));
  });
}

/** The desk as a thread sees it. Who aborts a run ends its threads, so no signal goes over the port. */
export function remoteDesk(port: MessagePort, about: Pick<CallDesk, 'id' | 'contextLength'>): CallDesk {
  const waiting = new Map<number, (asked: Asked) => void>();
  let ids = 0;
  port.on('message', ({ id, asked }: DeskAnswer) => {
    waiting.get(id)?.(asked);
    waiting.delete(id);
  });
  return {
    ...about,
    ask: ({ signal: _, ...request }, spentMs) =>
      new Promise((resolve) => {
        const id = ids++;
        waiting.set(id, resolve);
        port.postMessage({ id, request, spentMs } satisfies DeskRequest);
      }),
  };
}
