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
  /** True while a cancelled call has not been answered. Until then the worker may be terminated. */
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
  /** Stops listening to the caller's signal. */
  release(): void;
}

/** Starts a worker that loads `module`. */
export function startWorker(module: string, options: WorkerOptions = {}): WorkerConnection {
  return new StartedWorker(module, options);
}

class StartedWorker implements WorkerConnection {
  alive = true;
  broken: string | null = null;
  readonly #worker: Worker;
  readonly #graceMs: number;
  readonly #pending = new Map<number, Pending>();
  readonly #cancelled = new Set<number>();
  readonly #end = new AbortController();
  #listener: (asked: Asks) => void = () => undefined;
  #ids = 0;

  constructor(module: string, { memoryMb = 512, graceMs = 1_000, thread }: WorkerOptions) {
    this.#graceMs = graceMs;
    const worker = new Worker(thread ?? new URL('./worker-thread.js', import.meta.url), {
      workerData: { module } satisfies ThreadData,
      resourceLimits: { maxOldGenerationSizeMb: memoryMb },
    });
    this.#worker = worker;
    worker.unref();
    worker.on('message', (received: unknown) => this.#receive(received));
    worker.on('messageerror', () => this.#breakOff());
    worker.on('error', (error: NodeJS.ErrnoException) =>
      this.#die(
        error.code === 'ERR_WORKER_OUT_OF_MEMORY'
          ? `it used more than ${memoryMb} MB of memory, and its worker was terminated`
          : `its worker crashed: ${error.message}`,
      ),
    );
    worker.on('exit', (code) => this.#die(`its worker ended with exit code ${code}`));
  }

  get ended(): AbortSignal {
    return this.#end.signal;
  }

  get cancelling(): boolean {
    return this.#cancelled.size > 0;
  }

  call<Name extends CallName>(
    name: Name,
    parameters: Calls[Name]['parameters'],
    signal?: AbortSignal,
  ): Promise<Calls[Name]['answer']> {
    if (!this.alive) return Promise.reject(failed('its worker has ended'));
    const id = ++this.#ids;
    let cancelGrace = (): void => undefined;
    const onAbort = (): void => {
      this.#cancelled.add(id);
      this.#post({ kind: 'abort', id });
      const timer = setTimeout(() => this.#pending.has(id) && this.terminate(), this.#graceMs);
      cancelGrace = () => clearTimeout(timer);
    };
    const release = (): void => {
      cancelGrace();
      signal?.removeEventListener('abort', onAbort);
    };
    return new Promise<unknown>((resolve, reject) => {
      this.#pending.set(id, { resolve, reject, release });
      this.#worker.ref();
      try {
        this.#post({ kind: 'call', id, name, parameters } as ToThread);
      } catch (error) {
        this.#settle(id)?.reject(error as Error);
        return;
      }
      if (signal?.aborted) onAbort();
      else signal?.addEventListener('abort', onAbort);
    }).then((value) => readAnswer(name, value));
  }

  send(message: ToThread): void {
    if (this.alive) this.#post(message);
  }

  listen(listener: (asked: Asks) => void): void {
    this.#listener = listener;
  }

  terminate(): void {
    this.#die('its worker was terminated');
    void this.#worker.terminate();
  }

  #post(message: ToThread): void {
    this.#worker.postMessage(message);
  }

  #receive(received: unknown): void {
    if (!this.alive) return;
    const message = readMessage(received);
    if (message === null) this.#breakOff();
    else if (message.kind === 'answer') this.#settle(message.id)?.resolve(message.value);
    else if (message.kind === 'failed') this.#settle(message.id)?.reject(receiveError(message.error));
    else this.#listener(message);
  }

  /** Removes a call. Returns it to be resolved or rejected. */
  #settle(id: number): Pending | undefined {
    const found = this.#pending.get(id);
    this.#pending.delete(id);
    this.#cancelled.delete(id);
    if (this.#pending.size === 0) this.#worker.unref();
    found?.release();
    return found;
  }

  #die(reason: string): void {
    this.alive = false;
    this.#end.abort();
    for (const id of [...this.#pending.keys()]) this.#settle(id)?.reject(failed(reason));
  }

  #breakOff(): void {
    this.broken ??= 'its worker sent an invalid message and was terminated';
    this.#die(this.broken);
    void this.#worker.terminate();
  }
}

function failed(reason: string): PalimpsestError {
  return new PalimpsestError('ENGINE_FAILED', reason, { reason });
}
