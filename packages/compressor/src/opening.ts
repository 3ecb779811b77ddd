import type { Budget, CompressRequest, EngineHost, PhaseReport } from '@palimpsest/core';
import { Draft, type Transcript } from '@palimpsest/core/authoring';
import { type Aim, takeAim } from './aim.ts';
import { type BoundInput, bound, keptHead } from './bound.ts';
import { type Landing, landing, overTarget } from './landing.ts';
import type { CompressorOptions } from './options.ts';
import { isPrunable, type PhaseInput, prunePhase, stalePhase } from './prune-phase.ts';
import { tailReach } from './tail-reach.ts';

/** What a compression begins with. */
export interface OpeningInput {
  readonly transcript: Transcript;
  readonly request: CompressRequest;
  readonly options: CompressorOptions;
  readonly host: EngineHost;
  readonly budget: Budget;
  /** The summary so far; `null` when there is none. */
  readonly previousSummary: string | null;
  /** The newest message that carries a handoff; -1 for none. */
  readonly handoffAt: number;
}

/** A draft before the fold: pruned, with what a target makes of it, and the middle to be folded. */
export interface Opening {
  readonly input: PhaseInput;
  readonly land: Landing;
  readonly phases: PhaseReport[];
  /** How a target that is missed is to be met; `null` without one, or where pruning met it. */
  readonly aim: Aim | null;
  /** The middle to be folded, between head and tail; `null` when there is none. */
  readonly groups: readonly [from: number, to: number] | null;
  /** What stands before this message, and is folded, was not looked at. */
  readonly reach: number;
}

/** Of the tail's budget, how much more than it is pruned at first. */
const firstStep = 0.25;

/** Prunes, and says what is to be folded. @param reach the message at which pruning begins */
export function open(given: OpeningInput, reach = 0): Opening {
  const { transcript, request, options, host, budget, previousSummary } = given;
  const draft = new Draft(transcript);
  const input = { draft, request, options, host };
  const land = landing(transcript, request, budget);
  const aimed = request.targetTokens !== undefined;
  const phases: PhaseReport[] = [];
  if (!aimed) phases.push(prunePhase(input, land.tailTokens, 'prune', reach));
  else if (overTarget(draft, request) > 0) phases.push(stalePhase(input));
  const aim = overTarget(draft, request) > 0 ? takeAim(input, land, budget, previousSummary) : null;
  const met = aimed && aim === null && !request.force;
  const groups = met ? null : bound({ ...boundInput(given, draft, land), startOf: aim?.startOf });
  return { input, land, phases, aim, groups, reach };
}

/**
 * The same as {@link open}, but what is folded anyway is not pruned first: that would be most of the work of a
 * compression, for nothing. Prunes from the end as far back as it takes until what lies before cannot move the tail,
 * neither as heavy as it is nor weighing nothing.
 */
export function openNear(given: OpeningInput): Opening {
  const { transcript, request, budget } = given;
  const land = landing(transcript, request, budget);
  const head = keptHead(boundInput(given, new Draft(transcript), land));
  const middleFrom = transcript.groups[head]?.from ?? transcript.length;
  const whole = request.targetTokens !== undefined || transcript.messages.slice(0, middleFrom).some(isPrunable);
  // A tail that may hold nothing at all has to grow as well.
  const tailTokens = Math.max(1, land.tailTokens);
  for (let beyond = firstStep; !whole; beyond *= 2) {
    const reach = tailReach(transcript, tailTokens * (1 + beyond));
    if (reach <= middleFrom) break;
    const near = open(given, reach);
    const { draft } = near.input;
    const weigh = (at: number): number => (at < reach ? 0 : draft.currentTokens(at));
    const light = bound({ ...boundInput(given, draft, land), weigh });
    if (near.groups?.join() !== light?.join()) continue;
    if (near.groups && transcript.groups[near.groups[1] - 1]!.to >= reach) return near;
  }
  return open(given);
}

/**
 * True when pruning alone would have taken as much away as a fold did. Looks at what {@link openNear} left out, unless
 * that cannot be.
 * @param reclaimedTokens by the fold, of what the opening left of the middle
 */
export function isPrunedAsWell(given: OpeningInput, { groups, reach }: Opening, reclaimedTokens: number): boolean {
  const { transcript } = given;
  const from = groups ? transcript.groups[groups[0]]!.from : reach;
  const sum = (tokens: (at: number) => number): number => {
    let all = 0;
    for (let at = from; at < reach; at++) all += tokens(at);
    return all;
  };
  if (reclaimedTokens > sum((at) => (isPrunable(transcript.messages[at]!) ? transcript.tokens(at) : 0))) return false;
  const { draft } = open(given).input;
  return reclaimedTokens <= sum((at) => transcript.tokens(at) - draft.currentTokens(at));
}

/** Whether there is a middle at all, pruned or not. */
export function hasMiddle(given: OpeningInput): boolean {
  const land = landing(given.transcript, given.request, given.budget);
  return bound(boundInput(given, new Draft(given.transcript), land)) !== null;
}

function boundInput({ request, options, host, handoffAt }: OpeningInput, draft: Draft, land: Landing): BoundInput {
  return {
    draft,
    request,
    isRequest: host.isRequest,
    dialect: host.dialect,
    protectFirst: handoffAt >= 0 ? 0 : options.protectFirst,
    headTokens: land.headTokens,
    protectLast: options.protectLast,
    tailTokens: land.tailTokens,
    handoffAt,
  };
}
