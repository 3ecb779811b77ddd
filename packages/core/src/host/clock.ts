/** The clock of an engine. It is injected, so that engines are deterministic under test. */
export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number;
  /** Runs `callback` once after `milliseconds`. The returned function cancels the timer. */
  schedule(callback: () => void, milliseconds: number): () => void;
}

/** The system clock. */
export const systemClock: Clock = {
  now: () => Date.now(),
  schedule: (callback, milliseconds) => {
    const timer = setTimeout(callback, milliseconds);
    return () => clearTimeout(timer);
  },
};
