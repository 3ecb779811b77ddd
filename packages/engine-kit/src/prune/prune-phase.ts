import type { Clock, PhaseReport } from '@palimpsest/core';
import type { Draft } from '@palimpsest/core/authoring';
import { type PrunePolicy, pruneInto } from '@palimpsest/pruner';

/** Prunes a draft by a policy and reports it as a phase. Calls no model. @param name name of the phase in the report */
export function prunePhase(draft: Draft, policy: PrunePolicy, clock: Clock, name: string = 'prune'): PhaseReport {
  const started = clock.now();
  const report = pruneInto(draft, policy);
  const messages = !report.committed
    ? 0
    : Object.values(report.strategies).reduce((sum, strategy) => sum + (strategy?.count ?? 0), 0);
  return { name, durationMs: clock.now() - started, reclaimedTokens: report.reclaimedTokens, messages };
}
