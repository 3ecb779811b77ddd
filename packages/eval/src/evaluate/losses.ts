import type { Message } from '@palimpsest/core';
import { type Canaries, lostFacts, lostRules } from '../canaries/plant-canaries.ts';
import { type Probes, untoldOf } from '../continuation/probes.ts';
import { lostReferences, lostStretches } from '../future/lost-references.ts';
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
const [mostNames, longestName] = [25, 160];

/** Names what an output lost. @param planted the canaries and the output made from them; `null` if they were not measured */
export function lossesOf(
  cut: Cut,
  probes: Probes,
  output: readonly Message[],
  planted: { readonly canaries: Canaries; readonly output: readonly Message[] } | null,
): Losses {
  const canaries = planted
    ? [
        ...lostRules(planted.canaries, planted.output),
        ...lostFacts(planted.canaries, planted.output).map(({ name, value }) => `${name}: ${value}`),
      ]
    : [];
  const all: Readonly<Record<LossKind, readonly string[]>> = {
    facts: lostReferences(cut.needs, output).map(([first, second]) => `${first} … ${second}`),
    verbatim: lostStretches(cut.needs, cut.past, output),
    ...untoldOf(probes, output),
    canaries,
  };
  const named = (kind: LossKind): LostKind => ({
    count: all[kind].length,
    names: all[kind].slice(0, mostNames).map(shortened),
  });
  return {
    lost: Object.fromEntries(Object.keys(lossKinds).map((kind) => [kind, named(kind as LossKind)])) as Losses['lost'],
  };
}

const shortened = (text: string): string => (text.length > longestName ? `${text.slice(0, longestName - 1)}…` : text);
