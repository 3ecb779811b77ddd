import type { TokenCounter } from '@palimpsest/core';
import {
  checkOptions,
  countRule,
  functionRule,
  hostRules,
  isRecord,
  type OptionRule,
  type RulesOf,
  signalRule,
} from '@palimpsest/core/authoring';
import { createTokenCounter } from '@palimpsest/tokens';
import type { Compact, Compactor } from '../compactors/compactor.ts';
import { cutShares } from '../transcripts/cuts.ts';
import type { NamedTranscript } from '../transcripts/named-transcript.ts';

/** Options of {@link evaluate}. */
export interface EvaluateOptions {
  /** Recorded conversations. Those with fewer than 20,000 or more than 400,000 tokens are skipped. */
  readonly transcripts: readonly NamedTranscript[];
  /** What is scored, by name. A function is enough. */
  readonly compactors: Readonly<Record<string, Compact | Compactor>>;
  /** Sizes of the output, as shares of the tokens before it, 0 to 1. @default [0.1, 0.2] */
  readonly budgets?: readonly number[] | undefined;
  /** Where transcripts are cut, as ascending shares of their tokens, 0 to 1. @default [0.4, 0.55, 0.7] */
  readonly cuts?: readonly number[] | undefined;
  /** Number of compactions in a row. 0: none. @default 5 */
  readonly chainSteps?: number | undefined;
  /** Context window in which costs are simulated, in tokens. `null`: no costs. @default 64_000 */
  readonly window?: number | null | undefined;
  /** Number of samples for the intervals. @default 1000 */
  readonly resamples?: number | undefined;
  /** Seed of the samples. The same seed gives the same intervals. @default 1 */
  readonly seed?: number | undefined;
  /** Counts tokens, of budgets and outputs. @default an estimate for o200k */
  readonly counter?: TokenCounter | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Called before each transcript is measured. */
  readonly onProgress?:
    | ((step: { readonly transcript: string; readonly number: number; readonly of: number }) => void)
    | undefined;
}

const sharesRule: OptionRule = {
  expected: 'shares between 0 and 1, such as [0.1, 0.2]',
  isValid: (value) => Array.isArray(value) && value.length > 0 && value.every((share) => share > 0 && share < 1),
  describe: (value) => JSON.stringify(value) ?? 'nothing',
};

const rules: RulesOf<EvaluateOptions> = {
  transcripts: { expected: 'a list of transcripts', isValid: Array.isArray, isRequired: true },
  compactors: {
    expected: 'at least one compactor',
    isValid: (value) => isRecord(value) && Object.keys(value).length > 0,
    isRequired: true,
    describe: () => 'none',
  },
  budgets: sharesRule,
  cuts: sharesRule,
  chainSteps: {
    expected: 'a whole number from 0 to 100',
    isValid: (value) => countRule.isValid(value) && (value as number) <= 100,
    describe: String,
  },
  window: {
    expected: 'at least 8000 tokens, or null',
    isValid: (value) => value === null || (typeof value === 'number' && value >= 8_000),
    describe: String,
  },
  resamples: countRule,
  seed: { expected: 'a number', isValid: Number.isFinite },
  counter: hostRules.tokens,
  signal: signalRule,
  onProgress: functionRule,
};

/** Options with their defaults. */
export type ResolvedOptions = {
  readonly [Name in Exclude<keyof EvaluateOptions, 'signal'>]-?: Exclude<EvaluateOptions[Name], undefined>;
} & Pick<EvaluateOptions, 'signal'>;

/** Fills in defaults. @throws {PalimpsestError} `OPTION_INVALID` */
export function resolveEvaluateOptions(options: EvaluateOptions): ResolvedOptions {
  checkOptions('evaluate', options, rules);
  const { transcripts, compactors, budgets = [0.1, 0.2], cuts = cutShares, chainSteps = 5, window = 64_000 } = options;
  return {
    transcripts,
    compactors,
    budgets: [...new Set(budgets)].sort((a, b) => a - b),
    cuts: [...new Set(cuts)].sort((a, b) => a - b),
    chainSteps,
    window,
    resamples: options.resamples ?? 1000,
    seed: options.seed ?? 1,
    counter: options.counter ?? createTokenCounter(),
    signal: options.signal,
    onProgress: options.onProgress ?? (() => {}),
  };
}
