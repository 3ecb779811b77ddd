import type { Budget, CompressRequest } from '@palimpsest/core';
import { type Draft, type Transcript, writeHandoff } from '@palimpsest/core/authoring';

/** Of a target, the most a kept head may take beyond the system prompt. */
const headShare = 0.125;

/** Of what a target leaves, the share that the newest messages get when results as stubs are still too much. */
const tailShare = 0.75;

/** Where a compression lands: what head, tail and handoff may hold. Tokens. */
export interface Landing {
  readonly tailTokens: number;
  readonly headTokens: number;
  /** What is left of a target beside what must stay and the frame of a handoff; without a target no limit. */
  readonly roomTokens: number;
}

/**
 * What a target leaves beside what must stay: the system prompt, the current request, the exchange under way. Head, tail
 * and handoff share it.
 */
export function landing(transcript: Transcript, request: CompressRequest, budget: Budget): Landing {
  const { targetTokens: target, overheadTokens = 0 } = request;
  if (target === undefined) return { tailTokens: budget.tailTokens, headTokens: Infinity, roomTokens: Infinity };
  const { inFlight, fixedTokens, counter } = transcript;
  const inFlightTokens = inFlight ? transcript.tokensBetween(inFlight.from, inFlight.to) : 0;
  const must = overheadTokens + fixedTokens + inFlightTokens + counter.countText(writeHandoff(''));
  const roomTokens = Math.max(0, target - must);
  return {
    tailTokens: Math.floor(inFlightTokens + roomTokens * tailShare),
    headTokens: Math.floor(target * headShare),
    roomTokens,
  };
}

/** By how much a draft misses the request's target; 0 when there is none. */
export function overTarget(draft: Draft, request: CompressRequest): number {
  if (request.targetTokens === undefined) return 0;
  return Math.max(0, draft.tokens + (request.overheadTokens ?? 0) - request.targetTokens);
}
