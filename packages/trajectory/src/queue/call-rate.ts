/** A rate limit in BullMQ's form. */
export interface WindowLimit {
  readonly max: number;
  /** Length of the window in milliseconds. */
  readonly duration: number;
}

/** Shorter windows cost the server more than they gain. */
const shortestWindowMs = 100;

/**
 * Converts calls per minute to calls per window. The window is as short as is practical, so that calls are spread
 * evenly instead of in one burst at the beginning of each minute.
 */
export function windowLimit(callsPerMinute: number): WindowLimit {
  if (callsPerMinute === 0) return { max: 0, duration: 0 };
  // Rounded up, so that no window is shorter than the minimum, and rounding its length costs at most 1 %.
  const max = Math.ceil((callsPerMinute * shortestWindowMs) / 60_000);
  return { max, duration: Math.ceil((max * 60_000) / callsPerMinute) };
}

/** Converts calls per window to calls per minute. */
export function callsPerMinute({ max, duration }: WindowLimit): number {
  return Math.round((max * 60_000) / duration);
}
