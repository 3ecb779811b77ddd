import { identifiersIn } from './identifiers.ts';

/** How far apart two names may stand to make a fact, in characters. */
export const factReach = 120;

/** By ordered pair of names, the least distance at which they stand in some text, in characters. */
export type Facts = Map<string, number>;

/** All ordered pairs of different names within {@link factReach} of each other. @param only pairs to look for */
export function factsOf(
  texts: readonly string[],
  into: Facts = new Map(),
  only?: { has(key: string): boolean },
): Facts {
  for (const text of texts) {
    const names = identifiersIn(text);
    for (let left = 0; left < names.length; left++) {
      const first = names[left]!;
      for (let right = left + 1; right < names.length; right++) {
        const distance = names[right]!.start - first.end;
        if (distance > factReach) break;
        if (names[right]!.name === first.name) continue;
        const key = factKey(first.name, names[right]!.name);
        if (only && !only.has(key)) continue;
        const known = into.get(key);
        if (known === undefined || distance < known) into.set(key, distance);
      }
    }
  }
  return into;
}

/** The key of an ordered pair. */
export const factKey = (first: string, second: string): string => `${first}\u0000${second}`;

/** True when a pair that stood `before` characters apart at its closest still stands about as close. */
export const stillTogether = (before: number, after: number | undefined): boolean =>
  after !== undefined && after <= before * 1.25 + 16;
