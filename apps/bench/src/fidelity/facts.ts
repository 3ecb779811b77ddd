import type { Occurrence } from './identifiers.ts';

/** How far apart two names may stand to make a fact, in characters. */
const factReach = 120;

/** Which pairs to look for. */
export interface WantedFacts {
  /** Every name that some pair has. */
  readonly names: { has(name: string): boolean };
  readonly pairs: { has(key: string): boolean };
}

/** By ordered pair of names, the least distance at which they stand in some text, in characters. */
export type Facts = Map<string, number>;

/** Adds the ordered pairs of different names within {@link factReach} of each other in one text. */
export function addFacts(names: readonly Occurrence[], into: Facts, only?: WantedFacts): void {
  const wanted = only ? names.filter(({ name }) => only.names.has(name)) : names;
  for (let left = 0; left < wanted.length; left++) {
    const first = wanted[left]!;
    for (let right = left + 1; right < wanted.length; right++) {
      const distance = wanted[right]!.start - first.end;
      if (distance > factReach) break;
      if (wanted[right]!.name === first.name) continue;
      const key = factKey(first.name, wanted[right]!.name);
      if (only && !only.pairs.has(key)) continue;
      const known = into.get(key);
      if (known === undefined || distance < known) into.set(key, distance);
    }
  }
}

/** The key of an ordered pair. */
export const factKey = (first: string, second: string): string => `${first}\u0000${second}`;

/** The names of a pair, in order. */
export const factNames = (key: string): [first: string, second: string] => {
  const at = key.indexOf('\u0000');
  return [key.slice(0, at), key.slice(at + 1)];
};

/** True when a pair that stood `before` characters apart at its closest still stands about as close. */
export const stillTogether = (before: number, after: number | undefined): boolean =>
  after !== undefined && after <= before * 1.25 + 16;
