/** Tells when this process did not run for a while: it was stopped, its machine slept, or it was busy. */
export interface Standstills {
  /** @param moment of `performance.now()` */
  hasBeenSince(moment: number): boolean;
  stop(): void;
}

const beatMs = 250;
/** Shorter gaps are those of any busy process. */
const shortestMs = 2_000;

/**
 * Permits for calls that are given while a process stands still would all go out at once when it moves again, and the
 * limit would be broken: whoever asked before a standstill has to ask again.
 */
export function watchStandstills(now: () => number = () => performance.now()): Standstills {
  let last = now();
  let end = Number.NEGATIVE_INFINITY;
  const look = (): void => {
    const moment = now();
    if (moment - last > shortestMs) end = moment;
    last = moment;
  };
  const timer = setInterval(look, beatMs);
  timer.unref();
  return {
    hasBeenSince(moment) {
      // What came in meanwhile may be heard before the timer is.
      look();
      return end > moment;
    },
    stop: () => clearInterval(timer),
  };
}
