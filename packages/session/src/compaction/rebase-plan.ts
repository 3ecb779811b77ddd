import type { Message, RewriteEdit } from '@palimpsest/core';
import { jsonText } from '@palimpsest/core/authoring';
import { type Checkpoint, coverage } from '../checkpoints/checkpoint.ts';
import type { CheckpointChain } from '../checkpoints/checkpoint-chain.ts';
import { lastingRewrites } from './lasting-rewrites.ts';
import type { PlannedCompaction } from './plan-compaction.ts';

/**
 * Adds to a finished plan the rewrites that the session made after planning began, such as a shortened large result.
 * @returns `null` if another compaction came first, or if a rewrite is about messages of the plan
 */
export function rebasePlan(
  planned: PlannedCompaction,
  chain: CheckpointChain,
  source: readonly Message[],
): PlannedCompaction | null {
  const { base, covered, edits } = planned;
  const newest = chain.newest(source);
  if (newest === base) return planned;
  if (!edits || !isRewritten(newest, base, chain)) return null;
  const lasting = lastingRewrites(newest, source) as readonly RewriteEdit[];
  const known = lasting.filter(({ at }) => at < covered.length);
  if (jsonText(known) !== jsonText(lastingRewrites(base, source))) return null;
  const all = [...edits, ...lasting.slice(known.length)];
  return { ...planned, base: newest, edits: all, covered: source.slice(0, coverage(source, all)) };
}

/** True if a checkpoint has only rewrites of the session on top of another one. No engine planned them. */
function isRewritten(newest: Checkpoint | null, base: Checkpoint | null, { checkpoints }: CheckpointChain): boolean {
  let at = newest;
  while (at && at.number !== base?.number) {
    const { engineBefore, parent } = at;
    if (engineBefore) return false;
    at = checkpoints.find(({ number }) => number === parent) ?? null;
  }
  return at?.number === base?.number;
}
