import {
  type CompressRequest,
  type EngineHost,
  hasToolCalls,
  isToolResult,
  type Message,
  type PhaseReport,
} from '@palimpsest/core';
import type { Draft } from '@palimpsest/core/authoring';
import { excerpts, images, leastTokens, type PrunePolicy, pruneInto, supersede } from '@palimpsest/pruner';
import { overTarget } from './landing.ts';
import type { CompressorOptions } from './options.ts';
import type { LinesOf } from './stretch.ts';

/** What a phase is carried out with. */
export interface PhaseInput {
  readonly draft: Draft;
  readonly request: CompressRequest;
  readonly options: CompressorOptions;
  readonly host: EngineHost;
}

/** False for a message that no prune changes: nothing but a text of somebody's. */
export function isPrunable(message: Message): boolean {
  return hasToolCalls(message) || isToolResult(message) || Array.isArray(message.content);
}

/**
 * Prunes what lies before the newest `protectTokens` and the exchanges to keep. Costs no model call.
 * @param from the first message to look at
 */
export function prunePhase(input: PhaseInput, protectTokens: number, name = 'prune', from = 0): PhaseReport {
  return runPhase(input, name, { protect: { transcript: protectTokens }, from });
}

/** Takes away what later messages make worthless, wherever it stands: for a target, where nothing is old by itself. */
export function stalePhase(input: PhaseInput): PhaseReport {
  return runPhase(input, 'prune', { protect: everywhere, strategies: [supersede, images] });
}

/**
 * Lands on the target where it is missed: cuts tool results to the lines most likely needed again, as many
 * as there is room for; where all of them as stubs are still too much, prunes into the newest messages too.
 * @param tailTokens what the tail may weigh
 */
export function toTarget(input: PhaseInput, tailTokens: number, linesOf: LinesOf): PhaseReport[] {
  const { draft, request } = input;
  if (request.targetTokens === undefined || overTarget(draft, request) === 0) return [];
  let own = 0;
  for (let at = 0; at < draft.transcript.length; at++) own += draft.currentTokens(at);
  // What was inserted takes of the target too.
  const targetTokens = request.targetTokens - (request.overheadTokens ?? 0) - (draft.tokens - own);
  const strategies = [excerpts({ targetTokens, linesOf })];
  const phases = [runPhase(input, 'excerpt', { protect: everywhere, strategies })];
  for (const share of [0.5, 0.25, 0]) {
    if (overTarget(draft, request) === 0) break;
    phases.push(prunePhase(input, Math.floor(tailTokens * share), 'tighten'));
  }
  return phases.filter(({ messages }) => messages > 0);
}

/** By message, what it weighs when every result that {@link toTarget} may cut is a stub. Tokens. */
export function leastWeights(input: PhaseInput): Float64Array {
  return leastTokens(input.draft, policyOf(input, { protect: everywhere }));
}

/** Every result may be cut that is not under way: a target says how much stays, not which part is recent. */
const everywhere = { tokens: 0 } as const;

function policyOf({ request, options, host }: PhaseInput, own: PrunePolicy): PrunePolicy {
  return {
    ...own,
    minimum: 0,
    keepTurns: request.keepLastExchanges ?? 0,
    isRequest: host.isRequest,
    redact: host.redact,
    ...(options.pruner?.protectTools ? { protectTools: options.pruner.protectTools } : {}),
  };
}

function runPhase(input: PhaseInput, name: string, policy: PrunePolicy): PhaseReport {
  const { draft, host } = input;
  const started = host.clock.now();
  const report = pruneInto(draft, policyOf(input, policy));
  const messages = !report.committed
    ? 0
    : Object.values(report.strategies).reduce((sum, strategy) => sum + (strategy?.count ?? 0), 0);
  return { name, durationMs: host.clock.now() - started, reclaimedTokens: report.reclaimedTokens, messages };
}
