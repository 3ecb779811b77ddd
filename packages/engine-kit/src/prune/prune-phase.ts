import type { Clock, PhaseReport } from '@palimpsest/core';
import type { Draft } from '@palimpsest/core/authoring';
import { type PrunePolicy, pruneInto } from '@palimpsest/pruner';

/** Prunes a draft by a policy and reports it as a phase. Calls no model. */
export function prunePhase(draft: Draft, policy: PrunePolicy, clock: Clock): PhaseReport {
  const started = clock.now();
  const report = pruneInto(draft, policy);
  const messages = !report.committed
    ? 0
    : Object.values(report.strategies).reduce((sum, strategy) => sum + (strategy?.count ?? 0), 0);
  return { name: 'prune', durationMs: clock.now() - started, reclaimedTokens: report.reclaimedTokens, messages };
}

/** The same phase without the messages that a summary replaced since. */
export function stillPruned(phase: PhaseReport, draft: Draft): PhaseReport {
  const { transcript } = draft;
  let reclaimedTokens = 0;
  let messages = 0;
  for (let at = 0; at < transcript.length; at++) {
    const message = draft.current(at);
    if (message === null || message === draft.original(at)) continue;
    reclaimedTokens += transcript.tokens(at) - draft.currentTokens(at);
    messages++;
  }
  return { ...phase, reclaimedTokens, messages };
}
