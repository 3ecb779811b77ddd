import { type Clock, PalimpsestError, type Summarizer, type SummaryTemplate } from '@palimpsest/core';
import { systemNotice } from './summary-turn.ts';

/** How much of a trajectory goes, and what takes its place. JSON: it travels to threads and other machines. */
export interface TrajectorySettings {
  /** What a trajectory may have, in tokens. @default 15_250 */
  readonly targetTokens?: number | undefined;
  /** What a summary may take, its frame included, in tokens. At least 400. @default 750 */
  readonly summaryTokens?: number | undefined;
  /** Turns at the end that stay as they are. @default 4 */
  readonly protectLast?: number | undefined;
  /** Tokens the chat template adds to each turn of a ShareGPT row. @default 0 */
  readonly turnTokens?: number | undefined;
  /** What is appended to the system turn of a compressed trajectory; `false` for nothing. @default {@link systemNotice} */
  readonly notice?: string | false | undefined;
  /** Calls of a summarizing model at a time. @default 50 */
  readonly concurrency?: number | undefined;
  /** How often a failed call is tried again, each time later and at a random moment. @default 5 */
  readonly retries?: number | undefined;
  /** The first wait before another try, in milliseconds; each further one is twice as long. @default 1_000 */
  readonly retryDelayMs?: number | undefined;
  /** How long one call may take. @default 120_000 */
  readonly callTimeoutMs?: number | undefined;
  /** How long the calls for one trajectory may take together, waits between tries included. @default 300_000 */
  readonly timeoutMs?: number | undefined;
}

/** Everything {@link createTrajectoryCompressor} takes. */
export interface TrajectoryOptions extends TrajectorySettings {
  /** Whose tokens count, exactly. @default 'o200k_base' */
  readonly encoding?: 'o200k_base' | 'cl100k_base' | undefined;
  /** Counts the tokens of a text instead: the tokenizer of the model to be trained. */
  readonly countTokens?: ((text: string) => number) | undefined;
  /** Who writes the summaries. @default rules that call no model */
  readonly summarizer?: Summarizer | undefined;
  /** The sections of a summary. @default `compactionTemplate` of `@palimpsest/summary` */
  readonly template?: SummaryTemplate | undefined;
  /** Masks secrets before a summarizer sees the turns, and again in what it wrote. @default `@palimpsest/redactor` */
  readonly redact?: ((text: string) => string) | undefined;
  /** @default the system clock */
  readonly clock?: Clock | undefined;
}

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

/** The smallest value each number may have; all are whole. */
const smallest: Readonly<Record<Exclude<keyof ResolvedSettings, 'notice'>, number>> = {
  targetTokens: 1,
  // A frame takes about 200 tokens, and a summary of less than as much says nothing.
  summaryTokens: 400,
  protectLast: 0,
  turnTokens: 0,
  concurrency: 1,
  retries: 0,
  retryDelayMs: 0,
  callTimeoutMs: 1,
  timeoutMs: 1,
};

/**
 * The settings with their defaults.
 * @throws {PalimpsestError} `OPTION_INVALID`, all problems at once
 */
export function resolveSettings(settings: TrajectorySettings = {}): ResolvedSettings {
  const given = Object.fromEntries(
    Object.keys(defaults).flatMap((name) => {
      const value = settings[name as keyof TrajectorySettings];
      return value === undefined ? [] : [[name, value]];
    }),
  );
  const resolved: ResolvedSettings = { ...defaults, ...given };
  const issues: { path: string[]; message: string }[] = [];
  for (const [name, least] of Object.entries(smallest)) {
    const value: unknown = resolved[name as keyof ResolvedSettings];
    if (!Number.isSafeInteger(value) || (value as number) < least)
      issues.push({ path: [name], message: `${name}: expected a whole number of at least ${least}.` });
  }
  if (resolved.notice !== false && (typeof resolved.notice !== 'string' || resolved.notice === ''))
    issues.push({ path: ['notice'], message: 'notice: expected a text, or false.' });
  if (issues.length > 0)
    throw new PalimpsestError('OPTION_INVALID', issues.map(({ message }) => message).join(' '), { issues });
  return resolved;
}
