import type { Budget, CompressRequest } from '@palimpsest/core';
import { landingTokens, type Transcript, writeHandoff } from '@palimpsest/core/authoring';

/** The share of a target that a kept head may take, without the system prompt. */
const headShare = 0.125;
/** The share of the room that the newest messages get if the target is missed even with all tool results as stubs. */
const tailShare = 0.75;

/** The share of the window that the tail may have, however large the system prompt and the tools are. */
const leastTailShare = 0.06;

/** How many tokens head, tail and handoff may have. */
export interface TargetPlan {
  readonly tailTokens: number;
  readonly headTokens: number;
  /** What a target leaves after what must stay and the frame of a handoff; `Infinity` without a target. */
  readonly roomTokens: number;
}

/**
 * Plans how to meet the target of a request. What must stay comes first: the system prompt, the current request, the
 * pending tool exchange. Head, tail and handoff share the rest. Without a target, only the tail is limited: by the budget,
 * and so that a stretch of work fits before the next compression.
 */
export function targetPlan(
  transcript: Transcript,
  { targetTokens, overheadTokens = 0 }: CompressRequest,
  budget: Budget,
): TargetPlan {
  const { pendingExchange, fixedTokens, counter } = transcript;
  const pendingTokens = pendingExchange ? transcript.tokensBetween(pendingExchange.from, pendingExchange.to) : 0;
  const mustStay = overheadTokens + fixedTokens + pendingTokens + counter.countText(writeHandoff(''));
  if (targetTokens === undefined) {
    const roomTokens = landingTokens(budget) - mustStay - budget.summaryTokens;
    const least = Math.max(budget.contextLength * leastTailShare, pendingTokens + roomTokens);
    return { tailTokens: Math.floor(Math.min(budget.tailTokens, least)), headTokens: Infinity, roomTokens: Infinity };
  }
  const roomTokens = Math.max(0, targetTokens - mustStay);
  return {
    tailTokens: Math.floor(pendingTokens + roomTokens * tailShare),
    headTokens: Math.floor(targetTokens * headShare),
    roomTokens,
  };
}
