import { type Budget, type CompressRequest, type Draft, type Transcript, writeHandoff } from '@palimpsest/core';

/** Of a target, the most a handoff may take. */
const handoffShare = 0.25;
/** Of a target, the most a kept head may take beyond the system prompt. */
const headShare = 0.125;

/** Where a compression lands: what tail, handoff and head may hold. Tokens. */
export interface Landing {
  readonly tailTokens: number;
  readonly headTokens: number;
  /** The figure the summary budget is derived from: the threshold, or the target when that is lower. */
  readonly ceilingTokens: number;
}

/**
 * Shares a target out: first what must stay, then at most a quarter for the handoff, the rest for the tail. The tail's
 * share is for what need not stay, the exchange under way included; a kept head is taken off it.
 */
export function landing(transcript: Transcript, request: CompressRequest, budget: Budget): Landing {
  const { targetTokens: target, overheadTokens = 0 } = request;
  if (target === undefined)
    return {
      tailTokens: budget.tailTokens,
      headTokens: Number.POSITIVE_INFINITY,
      ceilingTokens: budget.thresholdTokens,
    };
  const must = overheadTokens + transcript.fixedTokens;
  const frameTokens = transcript.counter.countText(writeHandoff(''));
  return {
    tailTokens: Math.max(0, Math.floor(target * (1 - handoffShare)) - must),
    headTokens: Math.floor(target * headShare),
    // A summary takes a quarter of this; the frame around it is part of the handoff's share.
    ceilingTokens: Math.max(1, Math.min(target, budget.thresholdTokens) - frameTokens / handoffShare),
  };
}

/** By how much a draft misses the request's target; 0 when there is none. */
export function overTarget(draft: Draft, request: CompressRequest): number {
  if (request.targetTokens === undefined) return 0;
  return Math.max(0, draft.tokens + (request.overheadTokens ?? 0) - request.targetTokens);
}
