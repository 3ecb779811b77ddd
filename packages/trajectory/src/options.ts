import type { Summarizer } from '@palimpsest/core';
import {
  eitherRule,
  falseRule,
  filledTextRule,
  functionRule,
  hostRules,
  type OptionRules,
  type RulesOf,
  wholeNumberRule,
} from '@palimpsest/core/authoring';
import { systemNotice } from './summary-turn.ts';

/** Target size, protected turns and limits on calls. Plain JSON: it is sent to threads and other machines. */
export interface TrajectorySettings {
  /** Target size of a trajectory in tokens. Smaller trajectories stay unchanged. @default 15_250 */
  readonly targetTokens?: number | undefined;
  /** Target size in tokens of a summary with its frame and the notice; at least 400. @default 750 */
  readonly summaryTokens?: number | undefined;
  /** Number of turns at the end that are never replaced. @default 4 */
  readonly protectLast?: number | undefined;
  /** Tokens that the chat template adds to each turn of a ShareGPT row. @default 0 */
  readonly turnTokens?: number | undefined;
  /** Text to append to the system turn of a compacted trajectory; `false` for none. @default {@link systemNotice} */
  readonly notice?: string | false | undefined;
  /** Maximum number of concurrent calls to a summarizing model. @default 50 */
  readonly concurrency?: number | undefined;
  /** How often a failed call is retried, with growing, randomized delays. @default 5 */
  readonly retries?: number | undefined;
  /** Milliseconds before the first retry. Each further delay is twice as long, up to 30 s. @default 1_000 */
  readonly retryDelayMs?: number | undefined;
  /** Timeout of one call in milliseconds. @default 120_000 */
  readonly callTimeoutMs?: number | undefined;
  /** Timeout in milliseconds of all calls for one trajectory, with the delays between retries. @default 300_000 */
  readonly timeoutMs?: number | undefined;
}

/** Options of {@link createTrajectoryCompactor}. */
export interface TrajectoryOptions extends TrajectorySettings {
  /** Encoding to count tokens with, exactly. @default 'o200k_base' */
  readonly encoding?: 'o200k_base' | 'cl100k_base' | undefined;
  /** Counts the tokens of a text, instead of `encoding`. Use the tokenizer of the model to be trained. */
  readonly countTokens?: ((text: string) => number) | undefined;
  /** Writes the summaries. @default rules that call no model */
  readonly summarizer?: Summarizer | undefined;
  /** Masks secrets in the turns a summarizer sees, and in its summary. @default `redact` of `@palimpsest/redactor` */
  readonly redact?: ((text: string) => string) | undefined;
}

/** The settings with their defaults filled in. */
export type ResolvedSettings = {
  readonly [Name in keyof TrajectorySettings]-?: Exclude<TrajectorySettings[Name], undefined>;
};

const defaults: ResolvedSettings = {
  targetTokens: 15_250,
  summaryTokens: 750,
  protectLast: 4,
  turnTokens: 0,
  notice: systemNotice,
  concurrency: 50,
  retries: 5,
  retryDelayMs: 1_000,
  callTimeoutMs: 120_000,
  timeoutMs: 300_000,
};

export const settingRules: RulesOf<TrajectorySettings> = {
  targetTokens: wholeNumberRule(1),
  // The frame alone takes about 200 tokens. A summary shorter than that is not useful.
  summaryTokens: wholeNumberRule(400),
  protectLast: wholeNumberRule(0),
  turnTokens: wholeNumberRule(0),
  notice: eitherRule(filledTextRule, falseRule),
  concurrency: wholeNumberRule(1),
  retries: wholeNumberRule(0),
  retryDelayMs: wholeNumberRule(0),
  callTimeoutMs: wholeNumberRule(1),
  timeoutMs: wholeNumberRule(1),
};

/** The rules of a compactor, without `encoding`. */
export const functionRules: OptionRules = {
  ...settingRules,
  countTokens: { ...functionRule, expected: 'a function from a string to a number' },
  redact: { ...functionRule, expected: 'a function from a string to a string' },
  summarizer: hostRules.summarizer,
};

/** Fills in the defaults of the settings. */
export function resolveSettings(options: TrajectorySettings): ResolvedSettings {
  const names = Object.keys(defaults) as (keyof ResolvedSettings)[];
  return Object.fromEntries(names.map((name) => [name, options[name] ?? defaults[name]])) as ResolvedSettings;
}
