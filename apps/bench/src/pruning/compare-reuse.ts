import type { Message, TokenCounter } from '@palimpsest/core';
import { Transcript } from '@palimpsest/core/authoring';
import { type FutureRecall, needsOf, recallOf } from '@palimpsest/eval/measures';
import { type PrunePolicy, prune } from '@palimpsest/pruner';
import { mean } from '../spread.ts';
import { placeholderPruning } from './placeholder-pruning.ts';

/** FutureRecall of the pruner and of plain placeholders at one cut of one transcript. */
export interface Reuse {
  readonly name: string;
  /** Tokens of the past. */
  readonly tokens: number;
  readonly pruner: { readonly reclaimedTokens: number; readonly recall: FutureRecall };
  readonly placeholder: { readonly reclaimedTokens: number; readonly recall: FutureRecall };
}

/**
 * Compares the pruner with plain placeholders at cuts after 40, 55, 70 and 85 % of a transcript's tokens. Both prune the
 * past with the same policy, and recall is measured against what the agent did next. Skips cuts at which the placeholder
 * rule does nothing.
 * @param policy used by both sides. @default the pruner's default
 */
export function compareReuse(
  name: string,
  messages: readonly Message[],
  counter: TokenCounter,
  policy: { readonly protectTokens?: number; readonly minimumTokens?: number; readonly turns?: number } = {},
): Reuse[] {
  const { protectTokens = 40_000, minimumTokens = 20_000, turns = 2 } = policy;
  const own: PrunePolicy = {
    protect: { tokens: protectTokens },
    minimum: minimumTokens,
    keepTurns: turns,
    tokens: counter,
  };
  const transcript = Transcript.of(messages, counter);
  const cuts = new Set(
    [0.4, 0.55, 0.7, 0.85].map(
      (share) =>
        transcript.groups.find((group) => transcript.tokensBetween(0, group.to) >= share * transcript.totalTokens)
          ?.to ?? 0,
    ),
  );
  const found: Reuse[] = [];
  for (const cut of cuts) {
    const past = messages.slice(0, cut);
    const plain = placeholderPruning(past, counter, { protectTokens, minimumTokens, turns });
    if (plain.reclaimedTokens === 0) continue;
    const pruned = prune(past, own);
    const needs = needsOf(past, messages.slice(cut));
    found.push({
      name,
      tokens: Math.round(transcript.tokensBetween(0, cut)),
      pruner: { reclaimedTokens: pruned.report.reclaimedTokens, recall: recallOf(needs, pruned.messages) },
      placeholder: { reclaimedTokens: plain.reclaimedTokens, recall: recallOf(needs, plain.messages) },
    });
  }
  return found;
}

/** Sums the reclaimed tokens over all cuts and averages each measure over the cuts that needed anything. */
export function summarizeReuse(
  cuts: readonly Reuse[],
  side: 'pruner' | 'placeholder',
): {
  readonly reclaimedTokens: number;
  readonly identifiers: number;
  readonly facts: number;
  readonly verbatim: number;
} {
  const meanOf = (measure: keyof FutureRecall): number =>
    mean(cuts.map((cut) => cut[side].recall[measure].recall).filter(Number.isFinite));
  return {
    reclaimedTokens: Math.round(cuts.reduce((sum, cut) => sum + cut[side].reclaimedTokens, 0)),
    identifiers: meanOf('identifiers'),
    facts: meanOf('facts'),
    verbatim: meanOf('verbatim'),
  };
}
