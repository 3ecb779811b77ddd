import type { TokenCounter } from '@palimpsest/core';
import { type CompactorResult, evaluate } from '@palimpsest/eval';
import type { NamedTranscript } from '@palimpsest/eval/measures';
import { prune } from '@palimpsest/pruner';
import { placeholderPruning } from './placeholder-pruning.ts';

/** What the agent needed later and is kept, and the tokens that are left, as a share of those before. */
export interface Reuse {
  readonly left: number;
  readonly facts: number;
  readonly verbatim: number;
}

/** Scores the pruner and plain placeholders, both at the pruner's default policy. Their outputs have no budget. */
export async function measureReuse(
  transcripts: readonly NamedTranscript[],
  counter: TokenCounter,
): Promise<{ readonly cuts: number; readonly pruner: Reuse; readonly placeholder: Reuse }> {
  const unlimited = 0.999;
  const { results, transcripts: used } = await evaluate({
    transcripts,
    compactors: {
      pruner: (past) => prune(past, { tokens: counter }).messages,
      placeholder: (past) => placeholderPruning(past, counter).messages,
    },
    budgets: [unlimited],
    cuts: [0.4, 0.55, 0.7, 0.85],
    chainSteps: 0,
    window: null,
    counter,
  });
  const reuseOf = ({ scores }: CompactorResult): Reuse => ({
    left: (scores.used?.value ?? Number.NaN) * unlimited,
    facts: scores.facts?.value ?? Number.NaN,
    verbatim: scores.verbatim?.value ?? Number.NaN,
  });
  const [pruner, placeholder] = results.map(reuseOf);
  return { cuts: used.reduce((sum, { cuts }) => sum + cuts, 0), pruner: pruner!, placeholder: placeholder! };
}
