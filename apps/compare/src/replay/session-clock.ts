import type { Clock } from '@palimpsest/core';

/** A clock that moves with a session which is lived through again. */
export interface SessionClock extends Clock {
  /** Another request is made: half a minute later. */
  tick(): void;
}

/** Pauses of an engine, such as a cooldown, pass in the session's time. Nothing that is scheduled ever comes up. */
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
