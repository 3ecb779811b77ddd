import type { Clock } from '@palimpsest/core';

/** A clock that advances only on request, and then runs due callbacks in order. */
export class StoppedClock implements Clock {
  #now = 1_000_000;
  #due: { at: number; callback: () => void }[] = [];

  now = (): number => this.#now;

  schedule = (callback: () => void, milliseconds: number): (() => void) => {
    const entry = { at: this.#now + milliseconds, callback };
    this.#due.push(entry);
    return () => {
      this.#due = this.#due.filter((other) => other !== entry);
    };
  };

  /** Number of waiting callbacks. */
  get waiting(): number {
    return this.#due.length;
  }

  /** Advances the time, and waits for everything that this starts. */
  async advance(milliseconds: number): Promise<void> {
    const end = this.#now + milliseconds;
    await settled();
    for (;;) {
      const next = this.#due.filter(({ at }) => at <= end).sort((a, b) => a.at - b.at)[0];
      if (!next) break;
      this.#due = this.#due.filter((other) => other !== next);
      this.#now = next.at;
      next.callback();
      await settled();
    }
    this.#now = end;
    await settled();
  }
}

/** Runs the callbacks of settled promises. */
function settled(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
