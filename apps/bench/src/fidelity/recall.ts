import type { Message } from '@palimpsest/core';
import { type Facts, factKey, factsOf, stillTogether } from './facts.ts';
import { identifiersIn } from './identifiers.ts';
import { agentTexts, textsOf } from './spoken.ts';
import { stretchesOf } from './verbatim.ts';

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
}

/** The share that was kept, 0 to 1; `NaN` when nothing was needed. */
export interface Share {
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
 * of compressing the past.
 * @param past the messages up to the cut, as they were
 * @param future the messages behind it: what the agent really did next
 */
export function needsOf(past: readonly Message[], future: readonly Message[]): Needs {
  const used = agentTexts(future);
  const usedNames = new Set(used.flatMap((text) => identifiersIn(text).map(({ name }) => name)));
  const usedPairs = factsOf(used);
  // What the agent uses in one order, the past may have told in the other.
  const eitherOrder = {
    has: (key: string) => usedPairs.has(key) || usedPairs.has(key.split('\u0000').reverse().join('\u0000')),
  };
  const usedStretches = stretchesOf(used);

  const names = new Map<string, { seen: number; last: number }>();
  const facts = new Map<string, { distance: number; last: number }>();
  const verbatim = new Map<number, { weight: number; band: number }>();
  past.forEach((message, index) => {
    const texts = textsOf(message);
    for (const name of new Set(texts.flatMap((text) => identifiersIn(text).map((found) => found.name)))) {
      if (!usedNames.has(name)) continue;
      const known = names.get(name);
      names.set(name, { seen: (known?.seen ?? 0) + 1, last: index });
    }
    for (const [key, distance] of factsOf(texts, new Map(), eitherOrder)) {
      const known = facts.get(key);
      facts.set(key, { distance: Math.min(distance, known?.distance ?? distance), last: index });
    }
    for (const hash of stretchesOf(texts, new Set(), usedStretches))
      verbatim.set(hash, { weight: 1, band: bandOf(index, past.length) });
  });

  const rarity = (name: string): number => Math.log(1 + past.length / (names.get(name)?.seen ?? past.length));
  const weighed = [...facts]
    .filter(([key, { distance }]) => {
      // A pair told in both orders is one fact: the order in which it stood closer.
      const [first, second] = key.split('\u0000') as [string, string];
      const other = facts.get(factKey(second, first));
      return !other || distance < other.distance || (distance === other.distance && first < second);
    })
    .map(([key, { last }]) => {
      const [first, second] = key.split('\u0000') as [string, string];
      return [key, { weight: (rarity(first) + rarity(second)) / 2, band: bandOf(last, past.length) }] as const;
    });
  return {
    identifiers: {
      items: new Map(
        [...names].map(([name, { last }]) => [name, { weight: rarity(name), band: bandOf(last, past.length) }]),
      ),
    },
    facts: { items: new Map(weighed) },
    distances: new Map([...facts].map(([key, { distance }]) => [key, distance])),
    verbatim: { items: verbatim },
  };
}

/** How much of what was needed stands in these messages: the past, as an engine left it. */
export function recallOf(needs: Needs, kept: readonly Message[]): Recall {
  const texts = kept.flatMap(textsOf);
  const names = new Set(texts.flatMap((text) => identifiersIn(text).map(({ name }) => name)));
  const facts = factsOf(texts, new Map(), needs.facts.items);
  const stretches = stretchesOf(texts, new Set(), {
    has: (hash: number) => needs.verbatim.items.has(hash),
  } as ReadonlySet<number>);
  return {
    identifiers: share(needs.identifiers, (name) => names.has(name)),
    facts: share(needs.facts, (key) => stillTogether(needs.distances.get(key)!, facts.get(key))),
    verbatim: share(needs.verbatim, (hash) => stretches.has(hash)),
  };
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
