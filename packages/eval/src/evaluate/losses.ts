import type { Message } from '@palimpsest/core';
import { type Canaries, findLostFacts, findLostRules } from '../canaries/plant-canaries.ts';
import { findMissing, type Probes } from '../continuation/probes.ts';
import { addFacts, type Facts, factNames, stillTogether } from '../future/facts.ts';
import { type Needs, promptReadings } from '../future/future-recall.ts';
import { minStretchLength, onOneLine } from '../future/verbatim.ts';
import type { Cut } from '../transcripts/cuts.ts';

/** Names of things of one kind that an output does not have. */
export interface LostKind {
  /** How many there are in all. */
  readonly count: number;
  /** The first ones. */
  readonly names: readonly string[];
}

/** What an output does not have any more, by name. Texts come from the transcript and are shortened. */
export interface Losses {
  readonly lost: Readonly<Record<LossKind, LostKind>>;
}

export const lossKinds = {
  facts: 'facts that the agent used later',
  verbatim: 'text that the agent repeated later',
  files: 'changed files',
  userLog: "the user's messages",
  verdicts: 'last verdicts',
  conclusions: 'conclusions',
  todos: 'open todos',
  commands: 'recent commands',
  canaries: 'planted rules and facts',
} as const;

export type LossKind = keyof typeof lossKinds;

/** Names of one kind that are listed at most, and their length in characters. */
const [maxNames, maxNameLength] = [25, 160];

/** Names what an output lost. @param planted the canaries and the output made from them; `null` if they were not measured */
export function lossesOf(
  cut: Cut,
  probes: Probes,
  output: readonly Message[],
  planted: { readonly canaries: Canaries; readonly output: readonly Message[] } | null,
): Losses {
  const canaries = planted
    ? [
        ...findLostRules(planted.canaries, planted.output),
        ...findLostFacts(planted.canaries, planted.output).map(({ name, value }) => `${name}: ${value}`),
      ]
    : [];
  const all: Readonly<Record<LossKind, readonly string[]>> = {
    facts: findLostReferences(cut.needs, output).map(([first, second]) => `${first} … ${second}`),
    verbatim: findLostTexts(cut.needs, cut.past, output),
    ...findMissing(probes, output),
    canaries,
  };
  const nameLosses = (kind: LossKind): LostKind => ({
    count: all[kind].length,
    names: all[kind].slice(0, maxNames).map(shorten),
  });
  return {
    lost: Object.fromEntries(
      Object.keys(lossKinds).map((kind) => [kind, nameLosses(kind as LossKind)]),
    ) as Losses['lost'],
  };
}

const shorten = (text: string): string => (text.length > maxNameLength ? `${text.slice(0, maxNameLength - 1)}…` : text);

/** Facts that the agent used later and that an output does not have, the rarest names first. */
function findLostReferences(needs: Needs, output: readonly Message[]): (readonly [first: string, second: string])[] {
  const found: Facts = new Map();
  for (const { names } of promptReadings(output).flat()) addFacts(names, found, needs.wantedFacts);
  return [...needs.facts.items]
    .filter(([key]) => !stillTogether(needs.distances.get(key)!, found.get(key)))
    .sort(([, a], [, b]) => b.weight - a.weight)
    .map(([key]) => factNames(key));
}

/** Text that the agent repeated later and that an output does not have, the longest first, without duplicates. */
function findLostTexts(needs: Needs, past: readonly Message[], output: readonly Message[]): string[] {
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
      lost.add(line.slice(from, at + minStretchLength).trim());
    }
  }
  return [...lost].sort((a, b) => b.length - a.length);
}
