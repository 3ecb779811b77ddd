import {
  type CompressRequest,
  type EngineHost,
  hasToolCalls,
  isToolResult,
  type Message,
  type PhaseReport,
} from '@palimpsest/core';
import type { Draft } from '@palimpsest/core/authoring';
import { excerpts, images, leastTokens, type PrunePolicy, recalled, supersede } from '@palimpsest/pruner';
import { tokensOverTarget } from '../target/draft-size.ts';
import type { LinesOf } from '../target/range-stats.ts';
import { prunePhase } from './prune-phase.ts';

/** Input of the pruning steps. */
export interface PruneInput {
  readonly draft: Draft;
  readonly request: CompressRequest;
  readonly host: EngineHost;
  /** Names or globs of tools whose output is never pruned. @default the pruner's list */
  readonly protectTools?: readonly string[] | undefined;
  /** What replaces a whole output. @default 'stub' */
  readonly placeholder?: PrunePolicy['placeholder'];
}

/** False for a message that pruning never changes: plain text without tool calls. */
export function isPrunable(message: Message): boolean {
  return hasToolCalls(message) || isToolResult(message) || Array.isArray(message.content);
}

/**
 * Prunes tool output that is older than the newest `protectTokens` tokens and the exchanges that the request asks to
 * keep.
 * @param from index of the first message to prune
 */
export function pruneBeforeTail(
  input: PruneInput,
  protectTokens: number,
  { name = 'prune', from = 0, mostTokens }: { name?: string; from?: number; mostTokens?: number } = {},
): PhaseReport {
  return run(input, name, { protect: { transcript: protectTokens, most: mostTokens }, from });
}

/** Prunes results of recall, and output that later messages supersede, regardless of age. Used with a target. */
export function pruneSuperseded(input: PruneInput): PhaseReport {
  return run(input, 'prune', { protect: protectNothing, strategies: [recalled, supersede, images] });
}

/**
 * Shrinks a draft that misses its target. Cuts tool results to the lines most likely needed again, as many as fit. If
 * even stubs exceed the target, also prunes the newest messages.
 * @param tailTokens maximum tokens of the tail
 */
export function shrinkToTarget(input: PruneInput, tailTokens: number, linesOf: LinesOf): PhaseReport[] {
  const { draft, request } = input;
  if (request.targetTokens === undefined || tokensOverTarget(draft, request) === 0) return [];
  let ownTokens = 0;
  for (let at = 0; at < draft.transcript.length; at++) ownTokens += draft.currentTokens(at);
  // Inserted messages count towards the target, too.
  const targetTokens = request.targetTokens - (request.overheadTokens ?? 0) - (draft.tokens - ownTokens);
  const strategies = [excerpts({ targetTokens, linesOf })];
  const phases = [run(input, 'excerpt', { protect: protectNothing, strategies })];
  for (const share of [0.5, 0.25, 0]) {
    if (tokensOverTarget(draft, request) === 0) break;
    phases.push(pruneBeforeTail(input, Math.floor(tailTokens * share), { name: 'tighten' }));
  }
  return phases.filter(({ messages }) => messages > 0);
}

/**
 * Makes tool results whole again, newest first, as far as the target leaves room: pruning did not know how much a fold
 * would save.
 */
export function restoreToTarget({ draft, request }: PruneInput): void {
  if (request.targetTokens === undefined) return;
  const { transcript } = draft;
  // Tokens of parts do not add up exactly to those of the whole.
  let room = request.targetTokens * (1 - countingError) - (request.overheadTokens ?? 0) - draft.tokens;
  for (let at = transcript.length - 1; at >= transcript.leading && room > 0; at--) {
    const message = draft.current(at);
    const original = draft.original(at);
    if (message === null || message === original || !isToolResult(original)) continue;
    const cost = transcript.tokens(at) - draft.currentTokens(at);
    if (cost > room) continue;
    draft.restore(at);
    room -= cost;
  }
}

/** Returns the tokens of each message if every tool result that {@link shrinkToTarget} may cut is a stub. */
export function leastTokensByMessage(input: PruneInput): Float64Array {
  return leastTokens(input.draft, policyOf(input, { protect: protectNothing }));
}

/** Share of a target that stays free when results are made whole again. */
const countingError = 0.01;

/** With a target, any result outside the pending exchange may be cut, however new. */
const protectNothing = { tokens: 0 } as const;

function policyOf({ request, host, protectTools, placeholder }: PruneInput, own: PrunePolicy): PrunePolicy {
  return {
    ...own,
    minimum: 0,
    keepTurns: request.keepLastExchanges ?? 0,
    isRequest: host.isRequest,
    redact: host.redact,
    ...(protectTools ? { protectTools } : {}),
    ...(placeholder ? { placeholder } : {}),
  };
}

function run(input: PruneInput, name: string, policy: PrunePolicy): PhaseReport {
  return prunePhase(input.draft, policyOf(input, policy), input.host.clock, name);
}
