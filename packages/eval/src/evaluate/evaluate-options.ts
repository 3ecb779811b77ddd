import type { TokenCounter } from '@palimpsest/core';
import { invalidOption } from '@palimpsest/core/authoring';
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

/** Options with their defaults. */
export type ResolvedOptions = {
  readonly [Name in Exclude<keyof EvaluateOptions, 'signal'>]-?: Exclude<EvaluateOptions[Name], undefined>;
} & Pick<EvaluateOptions, 'signal'>;

/** Fills in defaults. @throws {PalimpsestError} `OPTION_INVALID` */
export function resolveEvaluateOptions(options: EvaluateOptions): ResolvedOptions {
  const { transcripts, compactors, budgets = [0.1, 0.2], cuts = cutShares, chainSteps = 5, window = 64_000 } = options;
  if (Object.keys(compactors).length === 0) throw invalidOption('compactors', 'at least one compactor', 'none');
  for (const [name, shares] of Object.entries({ budgets, cuts }))
    if (shares.length === 0 || !shares.every((share) => share > 0 && share < 1))
      throw invalidOption(name, 'shares between 0 and 1, such as [0.1, 0.2]', JSON.stringify(shares));
  if (!Number.isInteger(chainSteps) || chainSteps < 0 || chainSteps > 100)
    throw invalidOption('chainSteps', 'a whole number from 0 to 100', String(chainSteps));
  if (window !== null && !(window >= 8_000))
    throw invalidOption('window', 'at least 8000 tokens, or null', String(window));
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
