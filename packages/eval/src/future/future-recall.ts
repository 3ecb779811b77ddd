import type { Message } from '@palimpsest/core';
import { reasoningFrom } from '../transcripts/texts.ts';
import { addFacts, type Facts, factKey, factNames, stillTogether, type WantedFacts } from './facts.ts';
import { readingsOf, type TextReading } from './reading.ts';

/** Items that one measure needs of the past, each with its weight. */
interface Need<K> {
  readonly items: ReadonlyMap<K, { readonly weight: number }>;
}

/** Everything in the past that the agent used later; the reference for recall. */
export interface Needs {
  readonly facts: Need<string>;
  /** Smallest distance between the names of each fact, in characters. */
  readonly distances: Facts;
  readonly verbatim: Need<number>;
  readonly wantedFacts: WantedFacts;
}

/** FutureRecall of one measure. Shares are 0 to 1, or `NaN` if nothing was needed. */
interface Share {
  readonly recall: number;
  /** Number of needed items, unweighted. */
  readonly needed: number;
}

/** Future-reference recall: how much of what was needed later is kept. Computed without a model or judge. */
export interface FutureRecall {
  /** Pairs of names that belong together. */
  readonly facts: Share;
  /** Stretches of 40 and more characters repeated word for word. */
  readonly verbatim: Share;
}

/**
 * Computes what a transcript's future needs of its past. Call it once per cut, then {@link recallOf} for every method.
 * In the past, reasoning counts only after the last user message, where it is part of the prompt.
 * @param past the original messages before the cut
 * @param future the messages after the cut
 */
export function needsOf(past: readonly Message[], future: readonly Message[]): Needs {
  const used = future.filter(({ role }) => role === 'assistant').flatMap((message) => readingsOf(message, true));
  const usedNames = new Set<string>();
  const usedPairs: Facts = new Map();
  const usedStretches = new Set<number>();
  for (const { names, stretches } of used) {
    for (const { name } of names) usedNames.add(name);
    addFacts(names, usedPairs);
    for (const hash of stretches) usedStretches.add(hash);
  }
  // The past may contain a pair in the opposite order.
  const eitherOrder: WantedFacts = {
    names: usedNames,
    pairs: {
      has: (key) => usedPairs.has(key) || usedPairs.has(factKey(...(factNames(key).reverse() as [string, string]))),
    },
  };

  const names = new Map<string, { seen: number; last: number }>();
  const facts = new Map<string, number>();
  const verbatim = new Map<number, { weight: number }>();
  for (const [index, readings] of promptReadings(past).entries()) {
    const here: Facts = new Map();
    for (const reading of readings) {
      for (const { name } of reading.names) {
        if (!usedNames.has(name)) continue;
        const known = names.get(name);
        if (known?.last === index) continue;
        names.set(name, { seen: (known?.seen ?? 0) + 1, last: index });
      }
      addFacts(reading.names, here, eitherOrder);
      for (const hash of reading.stretches) if (usedStretches.has(hash)) verbatim.set(hash, { weight: 1 });
    }
    for (const [key, distance] of here) facts.set(key, Math.min(distance, facts.get(key) ?? distance));
  }

  const rarity = (name: string): number => Math.log(1 + past.length / (names.get(name)?.seen ?? past.length));
  const needed = new Map<string, { weight: number }>();
  const distances: Facts = new Map();
  const factsNames = new Set<string>();
  for (const [key, distance] of facts) {
    // A pair that occurs in both orders is one fact, in the order with the smaller distance.
    const [first, second] = factNames(key);
    const other = facts.get(factKey(second, first));
    if (other !== undefined && (distance > other || (distance === other && first >= second))) continue;
    needed.set(key, { weight: (rarity(first) + rarity(second)) / 2 });
    distances.set(key, distance);
    factsNames.add(first).add(second);
  }
  return {
    facts: { items: needed },
    distances,
    verbatim: { items: verbatim },
    wantedFacts: { names: factsNames, pairs: needed },
  };
}

/** Computes how much of what was needed the kept messages contain. */
export function recallOf(needs: Needs, kept: readonly Message[]): FutureRecall {
  const facts: Facts = new Map();
  const stretches = new Set<number>();
  for (const reading of promptReadings(kept).flat()) {
    addFacts(reading.names, facts, needs.wantedFacts);
    for (const hash of reading.stretches) if (needs.verbatim.items.has(hash)) stretches.add(hash);
  }
  return {
    facts: share(needs.facts, (key) => stillTogether(needs.distances.get(key)!, facts.get(key))),
    verbatim: share(needs.verbatim, (hash) => stretches.has(hash)),
  };
}

/** Reads every text of messages as a provider gets them. */
export function promptReadings(messages: readonly Message[]): (readonly TextReading[])[] {
  const from = reasoningFrom(messages);
  return messages.map((message, index) => readingsOf(message, index >= from));
}

function share<K>({ items }: Need<K>, isKept: (item: K) => boolean): Share {
  let [needed, kept] = [0, 0];
  for (const [item, { weight }] of items) {
    needed += weight;
    if (isKept(item)) kept += weight;
  }
  return { recall: kept / needed, needed: items.size };
}
