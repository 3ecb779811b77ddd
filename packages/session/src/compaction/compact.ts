import type { Checkpoint } from '../conversation/checkpoint.ts';
import type { SessionCore, View, Work } from '../session-core.ts';
import { commitCompaction } from './commit-compaction.ts';
import { type Planned, planCompaction, type Wish } from './plan-compaction.ts';

/** What became of a compaction. */
export interface Compacted {
  readonly planned: Planned | null;
  /** `null` when nothing changed. */
  readonly checkpoint: Checkpoint | null;
}

/** Pruning that saves less than this, while model calls have to wait, is not worth the cache it breaks. */
const leastFreeSaving = 0.05;

/** Plans and commits. */
export async function compact(core: SessionCore, work: Work, view: View, wish: Wish): Promise<Compacted> {
  const planned = await planCompaction(core, work, view, wish);
  if (!planned?.edits) return { planned, checkpoint: null };
  const { report } = planned.result;
  if (wish.effort === 'free' && !wish.force && report.tokensAfter > report.tokensBefore * (1 - leastFreeSaving)) {
    if (planned.engineBefore) core.ready.restore(planned.engineBefore);
    return { planned, checkpoint: null };
  }
  return { planned, checkpoint: await commitCompaction(core, work, planned) };
}
