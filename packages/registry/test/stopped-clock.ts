import type { Clock } from '@palimpsest/core';

/** A clock that stands still until it is moved; what is due then runs in order. */
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

  /** How many callbacks wait. */
  get waiting(): number {
    return this.#due.length;
  }

  /** Moves on, and lets everything that was started by it run. */
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

/** Lets promises that are ready run. */
function settled(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
