import type { ToolDescriptor } from '../exchange/tool-descriptor.ts';
import { compressorStrategies, twoPhaseStrategies } from '../strategies/default-strategies.ts';
import { pressure } from '../strategies/pressure.ts';
import { recalled } from '../strategies/recalled.ts';
import type { Strategy } from '../view/strategy.ts';
import { adaptiveProtect } from './adaptive-protection.ts';
import { atLeastZero } from './number-option.ts';
import type { PrunePolicy } from './policy.ts';
import type { PolicySettings, Protection } from './policy-settings.ts';
import { protectedTools } from './protected-tools.ts';

/** A policy with all defaults filled in. */
export interface ResolvedPolicy extends PolicySettings {
  readonly strategies: readonly Strategy[];
}

/** The default of `tools`. Always the same array, because results are memoized per array. */
const noTools: readonly ToolDescriptor[] = [];

/**
 * Fills in the defaults of a policy.
 * @throws {PalimpsestError} `OPTION_INVALID`, naming the option, the value and the accepted range
 */
export function resolvePolicy(policy: PrunePolicy = {}): ResolvedPolicy {
  const scaled = policy.adaptive
    ? adaptiveProtect(number('adaptive.contextLength', policy.adaptive.contextLength))
    : null;
  const protect = resolveProtection(policy.protect ?? { tokens: scaled ?? 40_000 });
  const isCompressorStyle = 'transcript' in protect;
  const adaptiveMinimum = scaled === null ? 20_000 : Math.round(('tokens' in protect ? protect.tokens : scaled) / 2);
  return {
    protect,
    minimum: number('minimum', policy.minimum ?? (isCompressorStyle ? 0 : adaptiveMinimum)),
    from: number('from', policy.from ?? 0),
    keepTurns: number('keepTurns', policy.keepTurns ?? (isCompressorStyle ? 0 : 2)),
    stepsForTurns: policy.stepsForTurns ?? !isCompressorStyle,
    protectTools: policy.protectTools ?? protectedTools,
    redact: policy.redact ?? null,
    strategies: protectedFirst(policy.strategies ?? (isCompressorStyle ? compressorStrategies : twoPhaseStrategies)),
    tools: policy.tools ?? noTools,
    placeholder: policy.placeholder ?? 'stub',
    gate: policy.gate ?? null,
    isRequest: policy.isRequest ?? null,
  };
}

/** The protected part is pruned while it exceeds its budget by this factor. */
const excess = 1.5;

function resolveProtection(protect: Protection): Protection {
  if (!('transcript' in protect)) return { tokens: number('protect.tokens', protect.tokens) };
  const messages = number('protect.messages', protect.messages ?? 8);
  const transcript = number('protect.transcript', protect.transcript);
  return {
    transcript,
    messages: Math.min(8, Math.max(3, messages)),
    most: number('protect.most', protect.most ?? transcript * excess),
  };
}

/** `dedupe` refers to results in the protected part, so strategies that remove such results must run before it. */
function protectedFirst(strategies: readonly Strategy[]): readonly Strategy[] {
  const early = [recalled, pressure];
  const place = (strategy: Strategy): number => (early.includes(strategy) ? early.indexOf(strategy) : early.length);
  return strategies.toSorted((a, b) => place(a) - place(b));
}

function number(option: string, value: number): number {
  return atLeastZero('the prune policy', option, value);
}
