import type { Checkpoint } from '../checkpoints/checkpoint.ts';
import type { RequestInput } from '../conversation/request-input.ts';
import type { SessionParts } from '../parts/session-parts.ts';
import type { RequestView } from '../projection/request-view.ts';
import { commitCompaction } from './commit-compaction.ts';
import type { CompactionRequest } from './compaction-request.ts';
import { type PlannedCompaction, planCompaction } from './plan-compaction.ts';

/** The result of a compaction. */
export interface Compacted {
  /** `null` when the engine failed. */
  readonly planned: PlannedCompaction | null;
  /** `null` when nothing changed. */
  readonly checkpoint: Checkpoint | null;
}

/** Minimum saving of pruning without a model, as a share. A smaller one is not worth breaking the prompt cache. */
const minFreeSaving = 0.05;

/** Plans a compaction and puts it into effect. */
export async function compact(
  parts: SessionParts,
  input: RequestInput,
  view: RequestView,
  asked: CompactionRequest,
): Promise<Compacted> {
  const planned = await planCompaction(parts, input, view, asked);
  if (!planned?.edits) return { planned, checkpoint: null };
  const { report } = planned.result;
  const isLittle = report.tokensAfter > report.tokensBefore * (1 - minFreeSaving);
  if (asked.effort === 'free' && !asked.force && isLittle) return { planned, checkpoint: null };
  return { planned, checkpoint: await commitCompaction(parts, input, planned) };
}
