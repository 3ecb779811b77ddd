import type { Budget, CompressOptions, EngineHost } from '@palimpsest/core';
import { maxCompactedTokens, type Transcript, writeHandoff } from '@palimpsest/core/authoring';
import { instructionsOf } from '../budget/instruction-budget.ts';

/** Maximum share of a target for the kept head, without the system prompt. */
const headShare = 0.125;
/** The tail's share of the room. Applies if the target is missed even with all tool results as stubs. */
const tailShare = 0.75;

/** Factor by which a tail may exceed its budget to keep one oversized group whole. Same value as in Hermes Agent. */
export const softCeiling = 1.5;

/** The room when a target cannot be met, as a share of it. */
const minRoomShare = 0.15;

/** Share of the window that the tail gets even with a large system prompt and many tools. */
const minTailShare = 0.06;

/** Maximum tokens of head, tail and handoff. */
export interface TargetPlan {
  readonly tailTokens: number;
  /** The same if that keeps one group whole. It never takes the room that a compaction has to leave for work. */
  readonly maxTailTokens: number;
  readonly headTokens: number;
  /**
   * Tokens that a target leaves after messages that must stay and the frame of a handoff; `Infinity` without a target.
   */
  readonly roomTokens: number;
}

/**
 * Divides the asked target. First come the parts that must stay: the system prompt, the host's later instructions, the
 * current task and the pending tool calls. Head, tail and handoff share the rest. Without a target, only the tail is limited: by the
 * budget, and to leave room for work before the next compaction.
 * @param handoffKey the host's key, because a signed handoff has more tokens. @default unsigned
 */
export function targetPlan(
  transcript: Transcript,
  { targetTokens, overheadTokens = 0 }: CompressOptions,
  budget: Budget,
  handoffKey?: EngineHost['handoffKey'],
): TargetPlan {
  const { pendingCalls, fixedTokens, counter, length } = transcript;
  const pendingTokens = pendingCalls ? transcript.tokensBetween(pendingCalls.from, pendingCalls.to) : 0;
  const frame = counter.countMessage({ role: 'user', content: writeHandoff('', length, handoffKey) });
  const { keptTokens } = instructionsOf(transcript, budget);
  const mustStay = overheadTokens + fixedTokens + keptTokens + pendingTokens + frame;
  if (targetTokens === undefined) {
    const roomTokens = maxCompactedTokens(budget) - mustStay - budget.summaryTokens;
    const limitTokens = Math.max(budget.contextLength * minTailShare, pendingTokens + roomTokens);
    const tailTokens = Math.floor(Math.min(budget.tailTokens, limitTokens));
    const maxTailTokens = Math.floor(Math.min(budget.tailTokens * softCeiling, limitTokens));
    return { tailTokens, maxTailTokens, headTokens: Infinity, roomTokens: Infinity };
  }
  // If the parts that must stay miss the target alone, the handoff still gets what the window can spare: without it, the
  // work before would be forgotten.
  const spareTokens = Math.max(0, budget.usableTokens - mustStay) / 2;
  const missedRoom = Math.min(targetTokens * minRoomShare, spareTokens);
  const roomTokens = mustStay < targetTokens ? targetTokens - mustStay : Math.floor(missedRoom);
  const tailTokens = Math.floor(pendingTokens + roomTokens * tailShare);
  return {
    tailTokens,
    maxTailTokens: tailTokens * softCeiling,
    headTokens: Math.floor(targetTokens * headShare),
    roomTokens,
  };
}
