import type { Budget, CompressRequest } from '@palimpsest/core';
import { type Transcript, writeHandoff } from '@palimpsest/core/authoring';

/** The share of a target that a kept head may take, without the system prompt. */
const headShare = 0.125;
/** The share of the room that the newest messages get if the target is missed even with all tool results as stubs. */
const tailShare = 0.75;

/** How many tokens head, tail and handoff may have. */
export interface TargetPlan {
  readonly tailTokens: number;
  readonly headTokens: number;
  /** What a target leaves after what must stay and the frame of a handoff; `Infinity` without a target. */
  readonly roomTokens: number;
}

/**
 * Plans how to meet the target of a request. What must stay comes first: the system prompt, the current request, the
 * pending tool exchange. Head, tail and handoff share the rest. Without a target, only the tail is limited.
 */
export function targetPlan(
  transcript: Transcript,
  { targetTokens, overheadTokens = 0 }: CompressRequest,
  budget: Pick<Budget, 'tailTokens'>,
): TargetPlan {
  if (targetTokens === undefined) return { tailTokens: budget.tailTokens, headTokens: Infinity, roomTokens: Infinity };
  const { pendingExchange, fixedTokens, counter } = transcript;
  const pendingTokens = pendingExchange ? transcript.tokensBetween(pendingExchange.from, pendingExchange.to) : 0;
  const mustStay = overheadTokens + fixedTokens + pendingTokens + counter.countText(writeHandoff(''));
  const roomTokens = Math.max(0, targetTokens - mustStay);
  return {
    tailTokens: Math.floor(pendingTokens + roomTokens * tailShare),
    headTokens: Math.floor(targetTokens * headShare),
    roomTokens,
  };
}
