import type { Occurrence } from './identifier-occurrences.ts';

/** Largest distance between two names that make a fact, in characters. */
const factReach = 120;

/** Which pairs to look for. */
export interface WantedFacts {
  /** Every name that occurs in a pair. */
  readonly names: { has(name: string): boolean };
  readonly pairs: { has(key: string): boolean };
}

/** Smallest distance in any text, in characters, by ordered pair of names. */
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

/** Returns the key of an ordered pair of names. */
export const factKey = (first: string, second: string): string => `${first}\u0000${second}`;

/** Returns the two names of a key, in order. */
export const factNames = (key: string): [first: string, second: string] => {
  const at = key.indexOf('\u0000');
  return [key.slice(0, at), key.slice(at + 1)];
};

/** Returns true if the smallest distance of a pair has not grown by more than 25 % plus 16 characters. */
export const stillTogether = (before: number, after: number | undefined): boolean =>
  after !== undefined && after <= before * 1.25 + 16;
