import { compose, type RewriteEdit } from '@palimpsest/core';
import { coverage, noOverlay } from '../checkpoints/checkpoint.ts';
import { makeCheckpoint } from '../checkpoints/make-checkpoint.ts';
import type { RequestInput } from '../conversation/request-input.ts';
import type { CompactionTrigger } from '../events/compaction-record.ts';
import type { SessionParts } from '../parts/session-parts.ts';
import { lastingRewrites, withRewrites } from './lasting-rewrites.ts';
import { baseEdits } from './plan-compaction.ts';
import { recordCompaction } from './record-compaction.ts';

/**
 * Commits rewrites made by the session as a checkpoint, so that they persist across turns and later compactions, and can
 * be undone. Consecutive rewrites of new results share a checkpoint, so that they do not use up those kept for `undo`.
 * @param rewrites relative to what the model sees now
 * @returns the number of the checkpoint
 */
export function commitRewrites(
  parts: SessionParts,
  input: RequestInput,
  rewrites: readonly RewriteEdit[],
  trigger: CompactionTrigger,
): number {
  const { clock, redact, viewer } = parts;
  const { chain, log } = parts.compactions;
  const at = clock.now();
  const before = viewer.view(input);
  const { checkpoint: base } = before.projection;
  const source = input.intake.messages;
  const earlier = baseEdits(base, source);
  const edits = compose(source, earlier, rewrites);
  const plans = { before: earlier, after: edits };
  const lasting = withRewrites(lastingRewrites(base, source), rewrites, before.projection.provenance, plans);
  const covers = Math.max(coverage(source, edits), base?.covers ?? 0);
  const joined = trigger === 'arrival' ? log.records.find((record) => record.number === base?.number) : undefined;
  const isJoined = joined?.trigger === 'arrival';
  const number = isJoined ? joined.number : log.takeNumber();
  const parent = isJoined ? joined.parent : (base?.number ?? log.last);
  const overlay = base?.overlay ?? noOverlay;
  const checkpoint = makeCheckpoint(
    { number, parent, covers, edits, lasting, overlay, engineBefore: null },
    source,
    redact,
  );
  if (base && isJoined) chain.remove(base);
  chain.add(checkpoint);
  const after = viewer.view(input);
  if (isJoined) {
    log.change(joined.number, { tokensAfter: after.size.tokens, messagesAfter: after.assembled.messages.length });
    return joined.number;
  }
  const facts = { at, trigger, outcome: 'compacted', modelCalls: 0, durationMs: clock.now() - at } as const;
  recordCompaction(parts, checkpoint, facts, { before, after });
  return checkpoint.number;
}
