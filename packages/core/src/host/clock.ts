/** Time, handed in: no engine reads an ambient clock, so every engine is deterministic under test. */
export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number;
  /** Runs `callback` once after `milliseconds`; the returned function cancels it and leaves no timer behind. */
  schedule(callback: () => void, milliseconds: number): () => void;
}

/** The clock on the wall. */
export const systemClock: Clock = {
  now: () => Date.now(),
  schedule: (callback, milliseconds) => {
    const timer = setTimeout(callback, milliseconds);
    return () => clearTimeout(timer);
  },
};
