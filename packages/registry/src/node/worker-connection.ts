import { Worker } from 'node:worker_threads';
import { PalimpsestError } from '@palimpsest/core';
import { receiveError } from './sent-error.ts';
import { readAnswer, readMessage } from './worker-messages.ts';
import type { CallName, Calls, FromThread, ThreadData, ToThread } from './worker-protocol.ts';

export interface WorkerOptions {
  /** Heap limit of the worker, in megabytes. Memory outside the JavaScript heap (buffers) does not count. @default 512 */
  readonly memoryMb?: number | undefined;
  /** Time limit for loading the module and checking its options, in milliseconds. @default 30_000 */
  readonly loadingMs?: number | undefined;
  /** Time a cancelled call has to end before its worker is terminated, in milliseconds. @default 1_000 */
  readonly graceMs?: number | undefined;
  /** URL of the worker script. @default the one in this package */
  readonly thread?: URL | undefined;
}

/** Messages from the worker that are not answers to a call. */
export type Asks = Extract<FromThread, { kind: 'event' | 'summarize' | 'summarize-abort' }>;

/** One worker and its pending calls. The worker keeps the process alive only while calls are pending. */
export interface WorkerConnection {
  readonly alive: boolean;
  /** Fires when the worker has ended for any reason. */
  readonly ended: AbortSignal;
  /** Why the worker was terminated permanently (an invalid message); `null` otherwise. */
  readonly broken: string | null;
  /** True while a cancelled call has not been answered: the worker may still be terminated because of it. */
  readonly cancelling: boolean;
  /** Calls the worker. When `signal` aborts, the call is cancelled; if it does not end, the worker is terminated. */
  call<Name extends CallName>(
    name: Name,
    parameters: Calls[Name]['parameters'],
    signal?: AbortSignal,
  ): Promise<Calls[Name]['answer']>;
  send(message: ToThread): void;
  listen(listener: (asked: Asks) => void): void;
  terminate(): void;
}

interface Pending {
  resolve(value: unknown): void;
  reject(error: Error): void;
}

export function startWorker(module: string, options: WorkerOptions = {}): WorkerConnection {
  const { memoryMb = 512, graceMs = 1_000 } = options;
  const worker = new Worker(options.thread ?? new URL('./worker-thread.js', import.meta.url), {
    workerData: { module } satisfies ThreadData,
    resourceLimits: { maxOldGenerationSizeMb: memoryMb },
  });
  worker.unref();

  const pending = new Map<number, Pending>();
  const cancelledIds = new Set<number>();
  let listener: (asked: Asks) => void = () => undefined;
  const end = new AbortController();
  let alive = true;
  let broken: string | null = null;
  let ids = 0;

  const settle = (id: number): Pending | undefined => {
    const found = pending.get(id);
    pending.delete(id);
    cancelledIds.delete(id);
    if (pending.size === 0) worker.unref();
    return found;
  };
  const die = (reason: string): void => {
    alive = false;
    end.abort();
    for (const id of [...pending.keys()]) settle(id)?.reject(failed(reason));
  };
  const breakOff = (): PalimpsestError => {
    broken ??= 'its worker sent an invalid message and was terminated';
    die(broken);
    void worker.terminate();
    return failed(broken);
  };
  worker.on('message', (received: unknown) => {
    if (!alive) return;
    const message = readMessage(received);
    if (message === null) breakOff();
    else if (message.kind === 'answer') settle(message.id)?.resolve(message.value);
    else if (message.kind === 'failed') settle(message.id)?.reject(receiveError(message.error));
    else listener(message);
  });
  worker.on('messageerror', breakOff);
  worker.on('error', (error: NodeJS.ErrnoException) =>
    die(
      error.code === 'ERR_WORKER_OUT_OF_MEMORY'
        ? `it used more than ${memoryMb} MB of memory, and its worker was terminated`
        : `its worker crashed: ${error.message}`,
    ),
  );
  worker.on('exit', (code) => die(`its worker ended with exit code ${code}`));

  const post = (message: ToThread): void => worker.postMessage(message);
  const terminate = (): void => {
    die('its worker was terminated');
    void worker.terminate();
  };

  return {
    get alive() {
      return alive;
    },
    ended: end.signal,
    get broken() {
      return broken;
    },
    get cancelling() {
      return cancelledIds.size > 0;
    },
    call(name, parameters, cancelled) {
      const id = ++ids;
      return new Promise((resolve, reject) => {
        if (!alive) return reject(failed('its worker has ended'));
        let cancelGrace = (): void => undefined;
        const onAbort = (): void => {
          cancelledIds.add(id);
          post({ kind: 'abort', id });
          const timer = setTimeout(() => pending.has(id) && terminate(), graceMs);
          cancelGrace = () => clearTimeout(timer);
        };
        const done = (): void => {
          cancelGrace();
          cancelled?.removeEventListener('abort', onAbort);
        };
        pending.set(id, {
          resolve(value) {
            done();
            try {
              resolve(readAnswer(name, value));
            } catch (error) {
              reject(error);
            }
          },
          reject(error) {
            done();
            reject(error);
          },
        });
        worker.ref();
        try {
          post({ kind: 'call', id, name, parameters } as ToThread);
        } catch (error) {
          settle(id)?.reject(error as Error);
          return;
        }
        if (cancelled?.aborted) onAbort();
        else cancelled?.addEventListener('abort', onAbort);
      });
    },
    send(message) {
      if (alive) post(message);
    },
    listen(next) {
      listener = next;
    },
    terminate,
  };
}

function failed(reason: string): PalimpsestError {
  return new PalimpsestError('ENGINE_FAILED', reason, { reason });
}
