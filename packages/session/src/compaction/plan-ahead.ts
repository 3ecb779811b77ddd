import type { RequestInput } from '../conversation/request-input.ts';
import type { SentRequest } from '../conversation/sent-request.ts';
import type { Blocked } from '../parts/turn-limits.ts';
import type { RequestView } from '../projection/request-view.ts';
import { findCompactCall } from './compact-tool.ts';
import { compactionWanted, timelyShare } from './compaction-needed.ts';
import type { PlanningParts } from './compaction-planner.ts';
import { reportBlock } from './preflight.ts';

/**
 * Starts planning a compaction if a request needs one, and waits at most 50 ms for it: long enough for rules. If the
 * conversation's own model writes, it is asked after an answer instead, unless the agent asked for the compaction.
 * @returns why a compaction that is needed is not planned; `null` otherwise
 */
export async function planForRequest(
  parts: PlanningParts,
  input: RequestInput,
  view: RequestView,
): Promise<Blocked | null> {
  if (parts.pages?.isAttached && !findCompactCall(parts, input.intake.messages)) return null;
  const { blocked, isStarted } = startPlan(parts, { input, view, tokens: view.size.tokens });
  if (isStarted) await parts.planner.settle(input.signal);
  return blocked;
}

/**
 * Starts planning a compaction directly after an answer, while the provider's cache of its request is warm.
 * @param answerTokens tokens of the answer, which is part of the next prompt
 */
export function planAfterAnswer(parts: PlanningParts, { input }: SentRequest, answerTokens: number): void {
  const { lastRequest, requests } = parts.conversation;
  if (!parts.pages?.isModel || requests.lastInput?.intake !== input.intake) return;
  // The answer was cancelled, or cannot be read.
  if (parts.pages.isAttached && lastRequest.current?.sent.input !== input) return;
  const view = parts.viewer.view(input);
  const { hygiene } = parts.compactions;
  const { thresholdTokens } = parts.engine.ready.state;
  const tokens = view.size.tokens + answerTokens;
  // In a small window, the threshold is near the size at which rules write, which leaves a model no time.
  const isNear = tokens >= hygiene.fullAt(parts.provider.model.room(input.maxTokens)) * timelyShare;
  startPlan(parts, { input, view, tokens: isNear ? Math.max(tokens, thresholdTokens) : tokens });
}

function startPlan(
  parts: PlanningParts,
  { input, view, tokens }: { readonly input: RequestInput; readonly view: RequestView; readonly tokens: number },
): { readonly isStarted: boolean; readonly blocked: Blocked | null } {
  const { turns } = parts.compactions;
  const wanted = compactionWanted(parts, input, view, tokens);
  if (!wanted) return { isStarted: false, blocked: null };
  const blocked = turns.attemptsBlock() ?? turns.modelBlock(parts.clock.now());
  if (blocked) {
    reportBlock(parts, blocked);
    return { isStarted: false, blocked };
  }
  return { isStarted: parts.planner.start(input, view, wanted), blocked: null };
}
