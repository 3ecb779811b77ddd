import { PalimpsestError, type RequestRecognizer, type TokenCounter } from '@palimpsest/core';
import { adaptiveProtect } from './adaptive.ts';
import type { Gate } from './gate.ts';
import type { PolicySettings, Protection } from './policy-settings.ts';
import { pressure } from './pressure.ts';
import { compressorStrategies, twoPhaseStrategies } from './strategies.ts';
import type { Strategy } from './strategy.ts';
import type { ToolDescriptor } from './tool.ts';

export interface PrunePolicy {
  /** @default { tokens: 40_000 } */
  readonly protect?: Protection | undefined;
  /** Commit only if at least this many tokens are reclaimed. @default 20_000; 0 with `protect.transcript` */
  readonly minimum?: number | undefined;
  /** Index of the first message to look at: what lies before it is left as it is. @default 0 */
  readonly from?: number | undefined;
  /** How many of the newest user turns are left as they are. @default 2; 0 with `protect.transcript` */
  readonly keepTurns?: number | undefined;
  /**
   * If no user turn is older than `keepTurns`, as in an agent's long work on one prompt, keep that many of the newest
   * tool exchanges instead. If false, everything is kept in that case. @default true; false with `protect.transcript`
   */
  readonly stepsForTurns?: boolean | undefined;
  /** Scales `protect.tokens` and `minimum` with the model's window; numbers given explicitly win. */
  readonly adaptive?: { readonly contextLength: number } | undefined;
  /** Tools whose calls and results are never edited: names or globs. @default {@link protectedTools} */
  readonly protectTools?: readonly string[] | undefined;
  /** Replaces secrets in everything written. @default nothing is replaced */
  readonly redact?: ((text: string) => string) | undefined;
  /** What runs, in this order; `pressure` goes first wherever it stands. @default {@link twoPhaseStrategies}; {@link compressorStrategies} with `protect.transcript` */
  readonly strategies?: readonly Strategy[] | undefined;
  /** Tools of your own, asked before the built-in ones. What they say of a result is remembered while it is the same list. */
  readonly tools?: readonly ToolDescriptor[] | undefined;
  /** What replaces an old result: one informative line, or `[Tool output pruned - was N chars]`. @default 'stub' */
  readonly placeholder?: 'stub' | 'plain' | undefined;
  /** Has the last word on whether a prune is worth it. @default every prune above the minimum is */
  readonly gate?: Gate | undefined;
  /**
   * Which user messages open a turn and can be the current request, where the host can tell.
   * @default every user message opens a turn; the current request is told by core's `isRequest`
   */
  readonly isRequest?: RequestRecognizer | undefined;
  /** Counts the tokens in `prune`; elsewhere the transcript brings its own. @default `createTokenCounter()` */
  readonly tokens?: TokenCounter | undefined;
}

/** Tools whose results are state the agent works from rather than output: Hermes Agent's and Kilo Code's lists joined. */
export const protectedTools: readonly string[] = ['skill', 'skill_view', 'clarify', 'memory', 'todo'];

/** A policy with every default filled in. */
export interface ResolvedPolicy extends PolicySettings {
  readonly strategies: readonly Strategy[];
}

/** @throws {PalimpsestError} `OPTION_INVALID`, naming the option, the value and the accepted range */
export function resolvePolicy(policy: PrunePolicy = {}): ResolvedPolicy {
  const scaled = policy.adaptive
    ? adaptiveProtect(number('adaptive.contextLength', policy.adaptive.contextLength))
    : null;
  const protect = policy.protect ?? { tokens: scaled ?? 40_000 };
  const compressing = 'transcript' in protect;
  number(compressing ? 'protect.transcript' : 'protect.tokens', compressing ? protect.transcript : protect.tokens);
  const adaptiveMinimum = scaled === null ? 20_000 : Math.round(('tokens' in protect ? protect.tokens : scaled) / 2);
  return {
    protect: compressing
      ? {
          transcript: protect.transcript,
          messages: Math.min(8, Math.max(3, number('protect.messages', protect.messages ?? 8))),
        }
      : protect,
    minimum: number('minimum', policy.minimum ?? (compressing ? 0 : adaptiveMinimum)),
    from: number('from', policy.from ?? 0),
    keepTurns: number('keepTurns', policy.keepTurns ?? (compressing ? 0 : 2)),
    stepsForTurns: policy.stepsForTurns ?? !compressing,
    protectTools: policy.protectTools ?? protectedTools,
    redact: policy.redact ?? null,
    strategies: pressureFirst(policy.strategies ?? (compressing ? compressorStrategies : twoPhaseStrategies)),
    tools: policy.tools ?? [],
    placeholder: policy.placeholder ?? 'stub',
    gate: policy.gate ?? null,
    isRequest: policy.isRequest ?? null,
  };
}

/** Dedupe may refer to what is protected, so whatever is to go from there has to go before. */
function pressureFirst(strategies: readonly Strategy[]): readonly Strategy[] {
  return strategies.toSorted((a, b) => Number(b === pressure) - Number(a === pressure));
}

function number(option: string, value: number): number {
  if (typeof value === 'number' && value >= 0 && value < Number.POSITIVE_INFINITY) return value;
  throw new PalimpsestError(
    'OPTION_INVALID',
    `The prune policy's ${option} is ${String(value)}; it takes a number from 0 on.`,
    {
      issues: [{ path: [option], message: 'expected a finite number from 0 on' }],
    },
  );
}
