import type { ToolDescriptor } from '../exchange/tool-descriptor.ts';
import { compressorStrategies, twoPhaseStrategies } from '../strategies/default-strategies.ts';
import { pressure } from '../strategies/pressure.ts';
import { recalled } from '../strategies/recalled.ts';
import type { Strategy } from '../view/strategy.ts';
import { checkPolicy } from './check-policy.ts';
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
 * Checks a policy and fills in its defaults.
 * @param owner the function that takes the policy, for the error message
 * @throws {PalimpsestError} `OPTION_INVALID`, naming the option, the value and the accepted range
 */
export function resolvePolicy(owner: string, policy: PrunePolicy = {}): ResolvedPolicy {
  checkPolicy(owner, policy);
  const scaled = policy.adaptive ? adaptiveProtect(policy.adaptive.contextLength) : null;
  const protect = resolveProtection(policy.protect ?? { tokens: scaled ?? 40_000 });
  const isCompressorStyle = isTranscript(protect);
  const adaptiveMinimum = scaled === null ? 20_000 : Math.round(('tokens' in protect ? protect.tokens : scaled) / 2);
  return {
    protect,
    minimum: policy.minimum ?? (isCompressorStyle ? 0 : adaptiveMinimum),
    targetTokens: policy.targetTokens ?? null,
    from: policy.from ?? 0,
    keepTurns: policy.keepTurns ?? (isCompressorStyle ? 0 : 2),
    stepsForTurns: policy.stepsForTurns ?? !isCompressorStyle,
    protectTools: policy.protectTools ?? protectedTools,
    redact: policy.redact ?? null,
    strategies: sortProtectedFirst(
      policy.strategies ?? (isCompressorStyle ? compressorStrategies : twoPhaseStrategies),
    ),
    tools: policy.tools ?? noTools,
    placeholder: policy.placeholder ?? 'stub',
    gate: policy.gate ?? null,
    isFromPerson: policy.isFromPerson ?? null,
  };
}

/** The protected part is pruned while it exceeds its budget by this factor. */
const excess = 1.5;

function resolveProtection(protect: Protection): Protection {
  if (!isTranscript(protect)) return { tokens: protect.tokens };
  const { transcript, messages = 8 } = protect;
  return {
    transcript,
    messages: Math.min(8, Math.max(3, messages)),
    maxTokens: protect.maxTokens ?? transcript * excess,
  };
}

function isTranscript(protect: Protection): protect is Exclude<Protection, { readonly tokens: number }> {
  return 'transcript' in protect && protect.transcript !== undefined;
}

/** `dedupe` refers to results in the protected part, so strategies that remove such results must run before it. */
function sortProtectedFirst(strategies: readonly Strategy[]): readonly Strategy[] {
  const early = [recalled, pressure];
  const place = (strategy: Strategy): number => (early.includes(strategy) ? early.indexOf(strategy) : early.length);
  return strategies.toSorted((a, b) => place(a) - place(b));
}

/** Tokens of tool output to protect by context length, from the two-phase proposal for Hermes Agent. */
const scale: readonly (readonly [contextLength: number, protect: number])[] = [
  [32_000, 10_000],
  [128_000, 40_000],
  [1_000_000, 100_000],
];

/**
 * Returns the tokens of tool output to protect: 10,000 for a window of 32K, 40,000 for 128K, 100,000 for 1M and more.
 * Linear in between, proportional below 32K.
 * @param contextLength the model's window, in tokens
 */
export function adaptiveProtect(contextLength: number): number {
  let [window, protect] = [0, 0];
  for (const [nextWindow, nextProtect] of scale) {
    if (contextLength <= nextWindow)
      return Math.round(protect + ((contextLength - window) / (nextWindow - window)) * (nextProtect - protect));
    [window, protect] = [nextWindow, nextProtect];
  }
  return protect;
}
