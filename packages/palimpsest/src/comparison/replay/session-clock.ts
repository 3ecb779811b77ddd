import type { Clock } from '@palimpsest/core';

/** A clock that advances with a replayed session. */
export interface SessionClock extends Clock {
  /** Advances the clock by 30 seconds, before each request. */
  tick(): void;
}

/** Creates a clock in session time, in milliseconds from 0, so that cooldowns of an engine elapse. Scheduled callbacks never run. */
export function sessionClock(): SessionClock {
  let now = 0;
  return {
    now: () => now,
    schedule: () => () => {},
    tick: () => {
      now += 30_000;
    },
  };
}
