import type { Clock } from '@palimpsest/core';

/** A clock that moves only when `advance` is called. */
export interface ManualClock extends Clock {
  /** Number of scheduled callbacks. */
  readonly pending: number;
  /** Moves the time forward and runs due callbacks in order, each at its scheduled time. */
  advance(milliseconds: number): void;
}

/** Creates a clock for tests. @param start milliseconds since the epoch. @default 2026-01-05T09:00:00Z */
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
