import type { Summarizer } from '@palimpsest/core';
import { OptionCheck, shownType } from '@palimpsest/core/authoring';
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
  /** Text to append to the system turn of a compressed trajectory; `false` for none. @default {@link systemNotice} */
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

/** Options of {@link createTrajectoryCompressor}. */
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

/** Checks the options of a run. One error lists all problems. */
export class RunOptionCheck extends OptionCheck {
  /** @returns the number, or `fallback` when it is not given or not valid */
  wholeNumber(path: string, given: unknown, fallback: number, least = 1): number {
    if (given === undefined) return fallback;
    const isValid = Number.isSafeInteger(given) && (given as number) >= least;
    this.expect(isValid, path, `a whole number of at least ${least}`, shownType(given));
    return isValid ? (given as number) : fallback;
  }
}

/** Fills in the defaults. Reports invalid settings to `check`. */
export function resolveSettings(check: RunOptionCheck, settings: TrajectorySettings): ResolvedSettings {
  const { notice = systemNotice } = settings;
  const numberOf = (name: Exclude<keyof TrajectorySettings, 'notice'>, fallback: number, least = 1): number =>
    check.wholeNumber(name, settings[name], fallback, least);
  const resolved = {
    targetTokens: numberOf('targetTokens', 15_250),
    // The frame alone takes about 200 tokens. A summary shorter than that is not useful.
    summaryTokens: numberOf('summaryTokens', 750, 400),
    protectLast: numberOf('protectLast', 4, 0),
    turnTokens: numberOf('turnTokens', 0, 0),
    notice,
    concurrency: numberOf('concurrency', 50),
    retries: numberOf('retries', 5, 0),
    retryDelayMs: numberOf('retryDelayMs', 1_000, 0),
    callTimeoutMs: numberOf('callTimeoutMs', 120_000),
    timeoutMs: numberOf('timeoutMs', 300_000),
  };
  const isNotice = notice === false || (typeof notice === 'string' && notice !== '');
  check.expect(isNotice, 'notice', 'a text that is not empty, or false', shownType(notice));
  return resolved;
}

/**
 * Checks the options of a compressor or a run, and fills in the defaults of its settings.
 * @throws {PalimpsestError} `OPTION_INVALID`, all problems at once
 */
export function checkOptions(options: TrajectoryOptions & { readonly workers?: number | undefined }): ResolvedSettings {
  const check = new RunOptionCheck();
  const settings = resolveSettings(check, options);
  const { countTokens, redact, summarizer, encoding } = options;
  const isFunction = (value: unknown): boolean => value === undefined || typeof value === 'function';
  check.expect(isFunction(countTokens), 'countTokens', 'a function from a text to a number', shownType(countTokens));
  check.expect(isFunction(redact), 'redact', 'a function from a text to a text', shownType(redact));
  const isSummarizer = summarizer === undefined || typeof summarizer?.summarize === 'function';
  check.expect(isSummarizer, 'summarizer', 'a summarizer with a function summarize', shownType(summarizer));
  const isEncoding = encoding === undefined || encoding === 'o200k_base' || encoding === 'cl100k_base';
  check.expect(isEncoding, 'encoding', 'o200k_base or cl100k_base', shownType(encoding));
  check.wholeNumber('workers', options.workers, 1);
  check.finish();
  return settings;
}
