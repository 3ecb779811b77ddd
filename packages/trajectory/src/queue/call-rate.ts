/** A limit in the terms of BullMQ. */
export interface WindowLimit {
  readonly max: number;
  /** In milliseconds. */
  readonly duration: number;
}

/** Shorter windows cost the server more than they even out. */
const shortestWindowMs = 100;

/**
 * Calls a minute as so many in a window, the window as short as sensible: calls then go out evenly, and not in one burst
 * at the beginning of each minute.
 */
export function windowLimit(callsPerMinute: number): WindowLimit {
  if (callsPerMinute === 0) return { max: 0, duration: 0 };
  // Upwards, so that no window is shorter, and rounding its length costs at most one in a hundred.
  const max = Math.ceil((callsPerMinute * shortestWindowMs) / 60_000);
  return { max, duration: Math.ceil((max * 60_000) / callsPerMinute) };
}

/** The other way round, for showing. */
export function callsPerMinute({ max, duration }: WindowLimit): number {
  return Math.round((max * 60_000) / duration);
}
