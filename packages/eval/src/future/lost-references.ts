import type { Message } from '@palimpsest/core';
import { addFacts, type Facts, factNames, stillTogether } from './facts.ts';
import { type Needs, promptReadings } from './future-recall.ts';
import { onOneLine, shortestStretch } from './verbatim.ts';

/** Facts that the agent used later and that an output does not have, the rarest names first. */
export function lostReferences(needs: Needs, output: readonly Message[]): (readonly [first: string, second: string])[] {
  const found: Facts = new Map();
  for (const { names } of promptReadings(output).flat()) addFacts(names, found, needs.wantedFacts);
  return [...needs.facts.items]
    .filter(([key]) => !stillTogether(needs.distances.get(key)!, found.get(key)))
    .sort(([, a], [, b]) => b.weight - a.weight)
    .map(([key]) => factNames(key));
}

/** Text that the agent repeated later and that an output does not have, the longest first, without duplicates. */
export function lostStretches(needs: Needs, past: readonly Message[], output: readonly Message[]): string[] {
  const found = new Set<number>();
  for (const { stretches } of promptReadings(output).flat()) for (const hash of stretches) found.add(hash);
  const isLost = (hash: number): boolean => needs.verbatim.items.has(hash) && !found.has(hash);
  const lost = new Set<string>();
  for (const { text, stretches } of promptReadings(past).flat()) {
    const line = onOneLine(text);
    for (let at = 0; at < stretches.length; at++) {
      if (!isLost(stretches[at]!)) continue;
      const from = at;
      while (at + 1 < stretches.length && isLost(stretches[at + 1]!)) at++;
      lost.add(line.slice(from, at + shortestStretch).trim());
    }
  }
  return [...lost].sort((a, b) => b.length - a.length);
}
