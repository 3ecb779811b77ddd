import { isSystem } from '@palimpsest/core';
import type { Plan } from '@palimpsest/core/authoring';
import type { GroupRange, SummaryState } from '@palimpsest/engine-kit';
import type { Pass } from './pass.ts';

/**
 * Adds a warning to the first compaction of a conversation if `protectFirst` was set and kept no message. By default,
 * there is no warning: in most conversations of agents, no message can be kept.
 */
export function withHeadWarning(
  plan: Plan<SummaryState>,
  { options: { protectFirst = 0 }, previousSummary, transcript }: Pass,
  [from]: GroupRange,
): Plan<SummaryState> {
  const isFirstSummary = previousSummary === null && plan.state.previousSummary !== null;
  if (protectFirst === 0 || !isFirstSummary) return plan;
  const head = transcript.messages.slice(0, transcript.groups[from]!.from);
  if (!head.every(isSystem)) return plan;
  const warning = `protectFirst (${protectFirst}) kept no message: those that it keeps must fit their budget and end after an assistant message that calls no tools. To keep a message word for word, use pins.`;
  return { ...plan, notes: { ...plan.notes, warnings: [...(plan.notes?.warnings ?? []), warning] } };
}
