/** Detects times when this process did not run: it was stopped, its machine slept, or its event loop was blocked. */
export interface Suspensions {
  /** True if the process was suspended after `moment`, a value of `performance.now()`. */
  happenedSince(moment: number): boolean;
  stop(): void;
}

const beatMs = 250;
/** Shortest suspension in milliseconds. Shorter gaps are normal for a busy process. */
const shortestMs = 2_000;

/**
 * Starts to watch for suspensions. Permits that arrive while the process is suspended would all be used at once when it
 * continues, which would exceed the limit on calls. A call that waited during a suspension must request a new permit.
 */
export function watchSuspensions(now: () => number = () => performance.now()): Suspensions {
  let last = now();
  let end = Number.NEGATIVE_INFINITY;
  const check = (): void => {
    const moment = now();
    if (moment - last > shortestMs) end = moment;
    last = moment;
  };
  const timer = setInterval(check, beatMs);
  timer.unref();
  return {
    happenedSince(moment) {
      // Messages that arrived meanwhile may be handled before the timer.
      check();
      return end > moment;
    },
    stop: () => clearInterval(timer),
  };
}
