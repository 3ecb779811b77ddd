import { Draft } from '@palimpsest/core/authoring';
import { type PrunedDraft, prunePhase, settleAs } from '@palimpsest/engine-kit';
import type { PrunePolicy } from '@palimpsest/pruner';
import type { Pass } from './pass.ts';
import { prunePolicy } from './prune-policy.ts';

/** Prunes the pass's transcript by the policy in the options. The range to summarize is not known yet. */
export function policyDraft(pass: Pass): PrunedDraft {
  const draft = new Draft(pass.transcript);
  const settle = settleAs(prunePhase(draft, policyOf(pass), pass.host.clock));
  return { draft, settle, targetSummary: null, range: null };
}

/** The pruner's policy for a pass. */
function policyOf({ transcript, asked, options, budget, host }: Pass): PrunePolicy {
  return prunePolicy(transcript.messages, options, host, {
    contextLength: budget.contextLength,
    keepLastTurns: asked.keepLastTurns,
  });
}
