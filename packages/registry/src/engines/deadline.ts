import { type Clock, PalimpsestError } from '@palimpsest/core';
import { orAborted } from '@palimpsest/core/authoring';

/** Time limits for the calls of an engine, in milliseconds. */
export interface Deadlines {
  /** Longest time without an event or a summarizer call. @default 120_000 */
  readonly stallMs: number;
  /** Longest time of a call. @default 600_000 */
  readonly totalMs: number;
}

const defaults: Deadlines = { stallMs: 120_000, totalMs: 600_000 };

/** Ends the calls of one engine that do not settle in time. */
export class Deadline {
  readonly #clock: Clock;
  readonly #limits: Deadlines;
  #lastProgress = 0;
  #summaries = 0;

  constructor(clock: Clock, limits: Deadlines = defaults) {
    this.#clock = clock;
    this.#limits = limits;
  }

  /** The engine is still working: it emitted an event. */
  progress(): void {
    this.#lastProgress = this.#clock.now();
  }

  /** Runs a summarizer call. Waiting for it does not count as a stall. */
  async summary<T>(call: () => Promise<T>): Promise<T> {
    this.#summaries++;
    try {
      return await call();
    } finally {
      this.#summaries--;
      this.progress();
    }
  }

  /**
   * Runs a call of the engine. Rejects when it takes too long or the caller cancels, and aborts the signal of `work`. What
   * the work returns later is ignored.
   * @throws {PalimpsestError} `ENGINE_FAILED`, `ABORTED`
   */
  async run<T>(work: (signal: AbortSignal) => T | Promise<T>, outer?: AbortSignal): Promise<T> {
    const controller = new AbortController();
    const { signal } = controller;
    const cancel = (): void => controller.abort(new PalimpsestError('ABORTED', 'The caller cancelled the call.'));
    if (outer?.aborted) cancel();
    outer?.addEventListener('abort', cancel);
    const stopTimer = this.#startTimer((error) => controller.abort(error));
    try {
      signal.throwIfAborted();
      return await orAborted((async () => work(signal))(), signal);
    } finally {
      stopTimer();
      outer?.removeEventListener('abort', cancel);
    }
  }

  /** Calls `expire` when a limit has passed. Returns a function that stops the timer. */
  #startTimer(expire: (error: PalimpsestError) => void): () => void {
    const { stallMs, totalMs } = this.#limits;
    const started = this.#clock.now();
    let stop = (): void => undefined;
    const check = (): void => {
      const now = this.#clock.now();
      const stalled = this.#summaries > 0 ? 0 : now - this.#lastProgress;
      const left = Math.min(totalMs - (now - started), stallMs - stalled);
      if (left > 0) stop = this.#clock.schedule(check, left);
      else expire(new PalimpsestError('ENGINE_FAILED', `it did not settle in ${Math.round((now - started) / 1000)} s`));
    };
    this.progress();
    check();
    return () => stop();
  }
}
