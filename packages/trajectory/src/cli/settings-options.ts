import { type Command, InvalidArgumentError } from 'commander';
import type { SummarizerChoice } from '../node/summarizer-choice.ts';
import type { TrajectorySettings } from '../trajectory-options.ts';

/** What the options of a command line say about how to compress. */
export interface SettingsOptions extends SummarizerChoice {
  readonly target?: number;
  readonly summary?: number;
  readonly protectLast?: number;
  readonly turnTokens?: number;
  readonly notice: string | boolean;
  readonly tokenizer: string;
  readonly concurrency?: number;
  readonly retries?: number;
  readonly timeout?: number;
}

/** A whole number of at least `least`. */
export function wholeNumber(least: number): (text: string) => number {
  return (text) => {
    const value = /^\d{1,15}$/.test(text.replaceAll('_', '')) ? Number(text.replaceAll('_', '')) : Number.NaN;
    if (!(value >= least)) throw new InvalidArgumentError(`Expected a whole number of at least ${least}.`);
    return value;
  };
}

/** Adds the options that decide what comes out. */
export function addSettings(command: Command): Command {
  return command
    .option('--target <tokens>', 'what a trajectory may have (default: 15250)', wholeNumber(1))
    .option('--summary <tokens>', 'what a summary may take, its frame included (default: 750)', wholeNumber(400))
    .option('--protect-last <turns>', 'turns at the end that stay as they are (default: 4)', wholeNumber(0))
    .option('--turn-tokens <tokens>', 'what the chat template adds to a turn (default: 0)', wholeNumber(0))
    .option('--notice <text>', 'what is appended to the system turn of a compressed trajectory')
    .option('--no-notice', 'leave the system turn as it is')
    .option('--tokenizer <name>', 'o200k_base, cl100k_base, or a module with countTokens(text)', 'o200k_base')
    .option('--summarizer <name>', 'extractive, openai:MODEL or anthropic:MODEL', 'extractive')
    .option('--base-url <url>', 'a server compatible with the provider')
    .option('--summarizer-window <tokens>', "the summarizing model's context window", wholeNumber(1_000))
    .option('--concurrency <calls>', 'calls of the model at a time (default: 50)', wholeNumber(1))
    .option('--retries <times>', 'how often a failed call is tried again (default: 5)', wholeNumber(0))
    .option('--timeout <seconds>', 'what the calls for a trajectory may take (default: 300)', wholeNumber(1));
}

/** The settings among the options; those not given have their defaults elsewhere. */
export function settingsOf(options: SettingsOptions): TrajectorySettings {
  return {
    targetTokens: options.target,
    summaryTokens: options.summary,
    protectLast: options.protectLast,
    turnTokens: options.turnTokens,
    notice: options.notice === true ? undefined : (options.notice as string | false),
    concurrency: options.concurrency,
    retries: options.retries,
    timeoutMs: options.timeout === undefined ? undefined : options.timeout * 1_000,
  };
}

/** The summarizer among the options, as a job can carry it. */
export function summarizerOf({ summarizer, baseUrl, summarizerWindow }: SettingsOptions): SummarizerChoice {
  return { summarizer, baseUrl, summarizerWindow };
}
