/** A seeded pseudorandom generator (mulberry32). */
export interface Random {
  /** An integer from 0 to `below` - 1. */
  below(below: number): number;
  /** True with a probability of `percent` %. */
  chance(percent: number): boolean;
  pick<T>(items: readonly T[]): T;
}

/** Creates a generator. @param seed any integer */
export function random(seed: number): Random {
  let state = seed | 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 0x1_0000_0000;
  };
  const below = (limit: number): number => Math.floor(next() * limit);
  return { below, chance: (percent) => next() * 100 < percent, pick: (items) => items[below(items.length)]! };
}
