import { type Clock, PalimpsestError } from '@palimpsest/core';

/** Time limits for the calls of an engine, in milliseconds. */
export interface Deadlines {
  /** Maximum time without progress. @default 120_000 */
  readonly stallMs: number;
  /** Maximum total time of a call. @default 600_000 */
  readonly totalMs: number;
}

export const defaultDeadlines: Deadlines = { stallMs: 120_000, totalMs: 600_000 };

/**
 * Enforces the deadlines for the calls of one engine. Progress is an event it emits, or a summarizer call that begins
 * or ends. During a summarizer call only the total deadline applies, because the summarizer has its own timeout.
 */
export interface Watch {
  /** Aborted permanently when a final run exceeds a deadline. Later runs fail at once with the same error. */
  readonly over: AbortSignal;
  progress(): void;
  /**
   * Suspends the stall deadline during a summarizer call; the returned function ends the suspension. Applies only to
   * the current runs, so that an abandoned call does not disable the stall deadline of later runs.
   * @param expire called when the call has outlived every deadline of a run
   */
  hold(expire: () => void): () => void;
  /**
   * Runs a call of the engine. Aborts the signal passed to `work` and rejects as soon as a deadline has passed or the
   * caller cancels, even if the work continues. Its later result is ignored.
   * @param options.final a missed deadline aborts `over`, so that the engine is out of service. @default false
   * @throws {PalimpsestError} `ENGINE_FAILED` past a deadline, `ABORTED` when `signal` fires
   */
  run<T>(
    engine: string,
    work: (signal: AbortSignal) => Promise<T> | T,
    options?: { readonly signal?: AbortSignal | undefined; readonly final?: boolean },
  ): Promise<T>;
}

export function createWatch(clock: Clock, deadlines: Deadlines = defaultDeadlines): Watch {
  let last = clock.now();
  let runs = 0;
  /** Pending summarizer calls, each with the number of runs started before it. */
  const holds = new Set<{ readonly begun: number }>();
  const end = new AbortController();
  const progress = (): void => {
    last = clock.now();
  };
  return {
    over: end.signal,
    progress,
    hold(expire) {
      const hold = { begun: runs };
      holds.add(hold);
      progress();
      // Longer than any run, so that the deadline of the run fires first.
      const cancel = clock.schedule(expire, deadlines.totalMs + deadlines.stallMs);
      return () => {
        if (!holds.delete(hold)) return;
        cancel();
        progress();
      };
    },
    run(engine, work, { signal, final = false } = {}) {
      if (end.signal.aborted) return Promise.reject(end.signal.reason as PalimpsestError);
      progress();
      const own = ++runs;
      const isHeld = (): boolean => [...holds].some(({ begun }) => begun >= own);
      const started = clock.now();
      return runUntilStopped(work, signal, (stop) => {
        let cancelTimer = (): void => undefined;
        const expire = (what: string, passed: number): void => {
          const reason = `${what} for ${Math.round(passed / 1000)} s`;
          const error = new PalimpsestError('ENGINE_FAILED', reason, { engine, reason });
          stop(error);
          if (final) end.abort(error);
        };
        const look = (): void => {
          const now = clock.now();
          const total = started + deadlines.totalMs - now;
          const stall = isHeld() ? deadlines.stallMs : last + deadlines.stallMs - now;
          if (total <= 0) expire('it has been running', now - started);
          else if (stall <= 0) expire('it has made no progress', now - last);
          else cancelTimer = clock.schedule(look, Math.min(total, stall));
        };
        look();
        return () => cancelTimer();
      });
    },
  };
}

/**
 * Runs `work` until it ends, the caller's signal fires, or `stop` is called, whichever is first.
 * @param watch starts a timer that may call `stop`; returns a function that cancels it
 */
function runUntilStopped<T>(
  work: (signal: AbortSignal) => Promise<T> | T,
  signal: AbortSignal | undefined,
  watch: (stop: (error: PalimpsestError) => void) => () => void,
): Promise<T> {
  const controller = new AbortController();
  return new Promise((resolve, reject) => {
    let cancelWatch = (): void => undefined;
    const finish = (settle: () => void): void => {
      cancelWatch();
      signal?.removeEventListener('abort', onAbort);
      settle();
    };
    const stop = (error: PalimpsestError): void =>
      finish(() => {
        reject(error);
        controller.abort(error);
      });
    const onAbort = (): void => stop(new PalimpsestError('ABORTED', 'The caller cancelled the call.'));
    if (signal?.aborted) return onAbort();
    signal?.addEventListener('abort', onAbort);
    cancelWatch = watch(stop);
    Promise.resolve()
      .then(() => work(controller.signal))
      .then(
        (value) => finish(() => resolve(value)),
        (error: unknown) => finish(() => reject(error)),
      );
  });
}
