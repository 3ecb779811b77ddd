import type { Message, TokenCounter } from '@palimpsest/core';
import { Transcript } from '@palimpsest/core/authoring';
import { type NamedTranscript, needsOf, recallOf } from '@palimpsest/eval/measures';
import { prune } from '@palimpsest/pruner';
import { mean, sum } from '../spread.ts';
import { placeholderPruning } from './placeholder-pruning.ts';

/** Tokens that a pruning reclaimed, and the mean shares of what the agent needed later and is kept. */
export interface Reuse {
  readonly reclaimedTokens: number;
  readonly facts: number;
  readonly verbatim: number;
}

/**
 * Measures the pruner and plain placeholders, both at the pruner's default policy, where 40, 55, 70 and 85 % of a
 * transcript's tokens are past. Leaves out cuts at which the placeholders reclaim nothing.
 */
export function measureReuse(
  transcripts: readonly NamedTranscript[],
  counter: TokenCounter,
): { readonly cuts: number; readonly pruner: Reuse; readonly placeholder: Reuse } {
  const pruner: Reuse[] = [];
  const placeholder: Reuse[] = [];
  for (const { messages } of transcripts)
    for (const cut of cutsOf(messages, counter)) {
      const past = messages.slice(0, cut);
      const plain = placeholderPruning(past, counter);
      if (plain.reclaimedTokens === 0) continue;
      const { messages: pruned, report } = prune(past, { tokens: counter });
      const needs = needsOf(past, messages.slice(cut));
      const reuseOf = (output: readonly Message[], reclaimedTokens: number): Reuse => {
        const { facts, verbatim } = recallOf(needs, output);
        return { reclaimedTokens, facts: facts.recall, verbatim: verbatim.recall };
      };
      pruner.push(reuseOf(pruned, report.reclaimedTokens));
      placeholder.push(reuseOf(plain.messages, plain.reclaimedTokens));
    }
  return { cuts: pruner.length, pruner: together(pruner), placeholder: together(placeholder) };
}

function cutsOf(messages: readonly Message[], counter: TokenCounter): Set<number> {
  const transcript = Transcript.of(messages, counter);
  const { groups, totalTokens } = transcript;
  const after = (share: number): number =>
    groups.find((group) => transcript.tokensBetween(0, group.to) >= share * totalTokens)?.to ?? 0;
  return new Set([0.4, 0.55, 0.7, 0.85].map(after));
}

/** A cut after which nothing of a kind was needed has no share of it. */
const together = (cuts: readonly Reuse[]): Reuse => ({
  reclaimedTokens: Math.round(sum(cuts.map(({ reclaimedTokens }) => reclaimedTokens))),
  facts: mean(cuts.map(({ facts }) => facts).filter(Number.isFinite)),
  verbatim: mean(cuts.map(({ verbatim }) => verbatim).filter(Number.isFinite)),
});
