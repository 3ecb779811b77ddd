import { type Command, InvalidArgumentError } from 'commander';
import type { SummarizerChoice } from '../files/run.ts';
import type { TrajectorySettings } from '../options.ts';

/** Command-line options for the settings and the summarizer. */
export interface SettingsOptions extends SummarizerChoice {
  readonly target?: number;
  readonly summary?: number;
  readonly notice: string | boolean;
  readonly tokenizer: string;
  readonly timeout?: number;
}

/** Returns a parser for a whole number of at least `min`. */
export function wholeNumber(min: number): (text: string) => number {
  return (text) => {
    const digits = text.replaceAll('_', '');
    const value = /^\d{1,15}$/.test(digits) ? Number(digits) : Number.NaN;
    if (!(value >= min)) throw new InvalidArgumentError(`Expected a whole number of at least ${min}.`);
    return value;
  };
}

/** Adds the options for the settings and the summarizer. */
export function addSettings(command: Command): Command {
  return command
    .option('--target <tokens>', 'largest size of a trajectory (default: 15250)', wholeNumber(1))
    .option('--summary <tokens>', 'largest size of a summary with its frame (default: 750)', wholeNumber(400))
    .option('--protect-last <turns>', 'number of last turns that are never replaced (default: 4)', wholeNumber(0))
    .option('--turn-tokens <tokens>', 'tokens that the chat template adds to each turn (default: 0)', wholeNumber(0))
    .option('--notice <text>', 'text to append to the system turn of a compacted trajectory')
    .option('--no-notice', 'do not change the system turn')
    .option('--tokenizer <name>', 'o200k_base, cl100k_base, or a module with countTokens(text)', 'o200k_base')
    .option('--summarizer <name>', 'extractive, openai:MODEL or anthropic:MODEL', 'extractive')
    .option('--summarizer-window <tokens>', 'context window of the summarizing model', wholeNumber(1_000))
    .option('--concurrency <calls>', 'maximum concurrent calls to the model (default: 50)', wholeNumber(1))
    .option('--retries <times>', 'how often a failed call is retried (default: 5)', wholeNumber(0))
    .option('--timeout <seconds>', 'timeout of all calls for one trajectory (default: 300)', wholeNumber(1));
}

/** Converts the options of {@link addSettings}; those of other names are the same in the library. */
export function settingsOf<Options extends SettingsOptions>({
  target,
  summary,
  timeout,
  notice,
  ...rest
}: Options): Omit<Options, 'target' | 'summary' | 'timeout' | 'notice'> & TrajectorySettings {
  return {
    ...rest,
    targetTokens: target,
    summaryTokens: summary,
    timeoutMs: timeout && timeout * 1_000,
    notice: notice === true ? undefined : notice,
  };
}
