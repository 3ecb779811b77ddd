import type { CompressOptions, EngineHost, PhaseReport } from '@palimpsest/core';
import type { Draft } from '@palimpsest/core/authoring';
import {
  excerpts,
  images,
  minPrunedTokens,
  type PrunePolicy,
  recalled,
  shortenArguments,
  stub,
  supersede,
} from '@palimpsest/pruner';
import { tokensOverTarget } from '../target/draft-size.ts';
import type { LinesOf } from '../target/range-stats.ts';
import type { TargetPlan } from '../target/target-plan.ts';
import { prunePhase } from './prune-phase.ts';

/** Input of the pruning steps. */
export interface PruneInput {
  readonly draft: Draft;
  readonly asked: CompressOptions;
  readonly host: EngineHost;
  /** Names or globs of tools whose output is never pruned. @default the pruner's list */
  readonly protectTools?: readonly string[] | undefined;
  /** What replaces a whole output. @default 'stub' */
  readonly placeholder?: PrunePolicy['placeholder'];
}

/** Prunes tool output that is older than the tail's tokens and the turns that the caller asks to keep. */
export function pruneBeforeTail(
  input: PruneInput,
  { tailTokens, maxTailTokens }: Pick<TargetPlan, 'tailTokens' | 'maxTailTokens'>,
): PhaseReport {
  return run(input, { protect: { transcript: tailTokens, maxTokens: maxTailTokens } });
}

/** Prunes results of recall, and output that later messages supersede, regardless of age. Used with a target. */
export function pruneSuperseded(input: PruneInput): PhaseReport {
  return run(input, { protect: protectNothing, strategies: superseded });
}

/**
 * Prunes a draft as far as the asked target needs: first what {@link pruneSuperseded} prunes, then tool results,
 * cut to the lines most likely needed again, and at last arguments of calls. The newest messages that fit stay whole.
 */
export function pruneToTarget(input: PruneInput, linesOf: LinesOf): PhaseReport {
  const { draft, asked } = input;
  let ownTokens = 0;
  for (let at = 0; at < draft.transcript.length; at++) ownTokens += draft.currentTokens(at);
  // Inserted messages count towards the target, too.
  const targetTokens = Math.max(0, ownTokens - tokensOverTarget(draft, asked));
  const strategies = [...superseded, excerpts({ targetTokens, linesOf }), stub, shortenArguments];
  return run(input, { protect: protectNothing, targetTokens, strategies });
}

/** Returns the tokens of each message if every tool result that {@link pruneToTarget} may cut is a stub. */
export function minTokensByMessage(input: PruneInput): Float64Array {
  return minPrunedTokens(input.draft, policyOf(input, { protect: protectNothing }));
}

const superseded = [recalled, supersede, images];

/** With a target, any result outside the pending tool calls may be cut, however new. */
const protectNothing = { tokens: 0 } as const;

function policyOf({ asked, host, protectTools, placeholder }: PruneInput, own: PrunePolicy): PrunePolicy {
  return {
    ...own,
    minimum: 0,
    keepTurns: asked.keepLastTurns ?? 0,
    isFromPerson: host.isFromPerson,
    redact: host.redact,
    ...(protectTools ? { protectTools } : {}),
    ...(placeholder ? { placeholder } : {}),
  };
}

function run(input: PruneInput, policy: PrunePolicy): PhaseReport {
  return prunePhase(input.draft, policyOf(input, policy), input.host.clock);
}
