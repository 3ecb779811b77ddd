import { compose, type RewriteEdit } from '@palimpsest/core';
import { fingerprint } from '@palimpsest/core/authoring';
import { type Checkpoint, coverage, noOverlay } from '../conversation/checkpoint.ts';
import { CheckpointPlan } from '../conversation/checkpoint-plan.ts';
import type { SessionCore, Work } from '../session-core.ts';
import type { CompactionTrigger } from '../session-event.ts';
import { baseEdits } from './plan-compaction.ts';

/**
 * Commits rewrites made by the session as a checkpoint, so that they persist across turns and can be undone.
 * @param rewrites relative to what the model sees now
 * @returns the number of the checkpoint
 */
export function commitRewrites(
  core: SessionCore,
  work: Work,
  rewrites: readonly RewriteEdit[],
  trigger: CompactionTrigger,
): number {
  const started = core.clock.now();
  const before = core.view(work);
  const { checkpoint: base } = before.projection;
  const source = work.intake.messages;
  const edits = compose(source, baseEdits(base, source), rewrites);
  const covers = Math.max(coverage(source, edits), base?.covers ?? 0);
  const checkpoint: Checkpoint = {
    number: core.next++,
    parent: base?.number ?? core.records.at(-1)?.number ?? null,
    covers,
    fingerprint: fingerprint(source, covers),
    plan: CheckpointPlan.of(edits, source.slice(0, covers), core.redact),
    overlay: base?.overlay ?? noOverlay,
    engineBefore: null,
  };
  core.chain.add(checkpoint);
  const after = core.view(work);
  core.addRecord({
    number: checkpoint.number,
    parent: checkpoint.parent,
    at: started,
    trigger,
    outcome: 'compressed',
    tokensBefore: before.size.tokens,
    tokensAfter: after.size.tokens,
    messagesBefore: before.assembled.messages.length,
    messagesAfter: after.assembled.messages.length,
    modelCalls: 0,
    durationMs: core.clock.now() - started,
    cachedShareBefore: core.lastCachedShare,
    cachedShareAfter: null,
    undone: false,
  });
  return checkpoint.number;
}
