import type { Clock } from '@palimpsest/core';

/** A clock that stands still until it is told to move. */
export interface ManualClock extends Clock {
  /** How many callbacks wait for their time. */
  readonly pending: number;
  /** Moves time on and runs what falls due, in order of time, each at its own moment. */
  advance(milliseconds: number): void;
}

/** @param start milliseconds since the epoch. @default 2026-01-05T09:00:00Z */
export function manualClock(start: number = Date.UTC(2026, 0, 5, 9)): ManualClock {
  let now = start;
  const waiting = new Set<{ readonly at: number; readonly callback: () => void }>();
  return {
    now: () => now,
    schedule(callback, milliseconds) {
      const timer = { at: now + Math.max(0, milliseconds), callback };
      waiting.add(timer);
      return () => {
        waiting.delete(timer);
      };
    },
    get pending() {
      return waiting.size;
    },
    advance(milliseconds) {
      const until = now + milliseconds;
      for (;;) {
        let next: { readonly at: number; readonly callback: () => void } | null = null;
        for (const timer of waiting) if (timer.at <= until && (!next || timer.at < next.at)) next = timer;
        if (!next) break;
        waiting.delete(next);
        now = Math.max(now, next.at);
        next.callback();
      }
      now = until;
    },
  };
}
