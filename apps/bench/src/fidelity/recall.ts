import type { Message } from '@palimpsest/core';
import { addFacts, type Facts, factKey, factNames, stillTogether, type WantedFacts } from './facts.ts';
import { readingsOf, type TextReading } from './reading.ts';
import { reasoningFrom } from './spoken.ts';

/** What one measure needs of the past, with the weight of each item and how long ago the past last held it. */
interface Need<K> {
  readonly items: ReadonlyMap<K, { readonly weight: number; readonly band: number }>;
}

/** What the agent used later and the past held: the yardstick for everything that is left of that past. */
export interface Needs {
  readonly identifiers: Need<string>;
  readonly facts: Need<string>;
  /** By fact, how close its names stood at their closest. */
  readonly distances: Facts;
  readonly verbatim: Need<number>;
  readonly wantedFacts: WantedFacts;
}

/** The share that was kept, 0 to 1; `NaN` when nothing was needed. */
interface Share {
  readonly recall: number;
  /** Items needed, unweighted. */
  readonly needed: number;
  /** By age of the item's last mention in the past: newest quarter of its messages first. */
  readonly bands: readonly number[];
}

/** Future-reference recall: how much of what was needed later is still there. No model and no judge. */
export interface Recall {
  /** Exact names. Cheap to game by a bare list of words: never report it alone. */
  readonly identifiers: Share;
  /** Pairs of names that belong together. */
  readonly facts: Share;
  /** Stretches of 40 and more characters repeated word for word. */
  readonly verbatim: Share;
}

const bandCount = 4;

/**
 * Works out what a transcript's future needs of its past. Compute it once per cut, then {@link recallOf} for every way
 * of compressing the past. Reasoning counts where it is part of the prompt: behind the last user message.
 * @param past the messages up to the cut, as they were
 * @param future the messages behind it: what the agent really did next
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
  // What the agent uses in one order, the past may have told in the other.
  const eitherOrder: WantedFacts = {
    names: usedNames,
    pairs: {
      has: (key) => usedPairs.has(key) || usedPairs.has(factKey(...(factNames(key).reverse() as [string, string]))),
    },
  };

  const names = new Map<string, { seen: number; last: number }>();
  const facts = new Map<string, { distance: number; last: number }>();
  const verbatim = new Map<number, { weight: number; band: number }>();
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
      for (const hash of reading.stretches)
        if (usedStretches.has(hash)) verbatim.set(hash, { weight: 1, band: bandOf(index, past.length) });
    }
    for (const [key, distance] of here)
      facts.set(key, { distance: Math.min(distance, facts.get(key)?.distance ?? distance), last: index });
  }

  const rarity = (name: string): number => Math.log(1 + past.length / (names.get(name)?.seen ?? past.length));
  const needed = new Map<string, { weight: number; band: number }>();
  const distances: Facts = new Map();
  const factsNames = new Set<string>();
  for (const [key, { distance, last }] of facts) {
    // A pair told in both orders is one fact: the order in which it stood closer.
    const [first, second] = factNames(key);
    const other = facts.get(factKey(second, first));
    if (other && (distance > other.distance || (distance === other.distance && first >= second))) continue;
    needed.set(key, { weight: (rarity(first) + rarity(second)) / 2, band: bandOf(last, past.length) });
    distances.set(key, distance);
    factsNames.add(first).add(second);
  }
  return {
    identifiers: {
      items: new Map(
        [...names].map(([name, { last }]) => [name, { weight: rarity(name), band: bandOf(last, past.length) }]),
      ),
    },
    facts: { items: needed },
    distances,
    verbatim: { items: verbatim },
    wantedFacts: { names: factsNames, pairs: needed },
  };
}

/** How much of what was needed stands in these messages: the past, as an engine left it. */
export function recallOf(needs: Needs, kept: readonly Message[]): Recall {
  const names = new Set<string>();
  const facts: Facts = new Map();
  const stretches = new Set<number>();
  for (const reading of promptReadings(kept).flat()) {
    for (const { name } of reading.names) names.add(name);
    addFacts(reading.names, facts, needs.wantedFacts);
    for (const hash of reading.stretches) if (needs.verbatim.items.has(hash)) stretches.add(hash);
  }
  return {
    identifiers: share(needs.identifiers, (name) => names.has(name)),
    facts: share(needs.facts, (key) => stillTogether(needs.distances.get(key)!, facts.get(key))),
    verbatim: share(needs.verbatim, (hash) => stretches.has(hash)),
  };
}

function promptReadings(messages: readonly Message[]): (readonly TextReading[])[] {
  const from = reasoningFrom(messages);
  return messages.map((message, index) => readingsOf(message, index >= from));
}

function share<K>(need: Need<K>, isKept: (item: K) => boolean): Share {
  const needed = new Float64Array(bandCount + 1);
  const kept = new Float64Array(bandCount + 1);
  for (const [item, { weight, band }] of need.items) {
    const there = isKept(item) ? weight : 0;
    for (const row of [band, bandCount]) {
      needed[row]! += weight;
      kept[row]! += there;
    }
  }
  const shares = Array.from(needed, (total, row) => kept[row]! / total);
  return { recall: shares[bandCount]!, needed: need.items.size, bands: shares.slice(0, bandCount) };
}

function bandOf(index: number, length: number): number {
  return Math.min(bandCount - 1, Math.floor(((length - 1 - index) / length) * bandCount));
}
