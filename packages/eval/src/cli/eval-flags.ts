import { type Command, InvalidArgumentError } from 'commander';
import { configHelp, parseNames } from '../engines/engine-options.ts';
import { parseCount } from '../engines/parse-count.ts';
import { parseTokens } from '../engines/parse-tokens.ts';
import type { Half } from '../transcripts/named-transcript.ts';

/** Options of the command line. */
export interface EvalFlags {
  readonly sample?: boolean;
  readonly half?: Half;
  readonly command: readonly string[];
  readonly module: readonly string[];
  readonly engine?: readonly string[];
  readonly config?: string;
  readonly baselines: boolean;
  readonly summarizer: string;
  readonly timeout: number;
  readonly budgets: readonly number[];
  readonly cuts: readonly number[];
  readonly chain: number;
  readonly window: number;
  readonly cost: boolean;
  readonly json?: string;
  readonly html?: string;
  readonly threshold: readonly string[];
}

/** Adds the options of the program to a command. */
export function addEvalFlags(command: Command): Command {
  return command
    .option('--sample', 'also read the recorded conversations that come with this package')
    .option(
      '--half <half>',
      'only this half of the transcripts, by a hash of their names: development or held-out',
      half,
    )
    .option('--command <[name=]command>', 'score a command: JSON in, JSON out; may be repeated', append, [])
    .option('--module <[name=]file>', 'score the default export of a JavaScript file; may be repeated', append, [])
    .option('--engine <names>', 'score engines, by name, package or path, separated by commas', parseNames)
    .option('--config <file>', configHelp)
    .option('--no-baselines', 'leave out the simple baselines')
    .option('--summarizer <writer>', 'for engines: extractive, openai:MODEL or anthropic:MODEL', 'extractive')
    .option('--timeout <seconds>', 'the most time for one run of a command', positive, 60)
    .option('--budgets <shares>', 'sizes of the output, as shares of the tokens before it', shares, [0.1, 0.2])
    .option('--cuts <shares>', 'where transcripts are cut, as shares of their tokens', shares, [0.4, 0.55, 0.7])
    .option('--chain <count>', 'compactions in a row; 0 for none', parseCount(999, 0), 5)
    .option('--window <tokens>', 'window in which costs are simulated', parseTokens, 64_000)
    .option('--no-cost', 'simulate no costs')
    .option('--json <file>', 'write the result as JSON; - for standard output instead of the table')
    .option('--html <file>', 'write one HTML page that shows what was lost, by name')
    .option(
      '--threshold <measure=value>',
      'exit with 3 if a value misses it, such as facts=40%; may be repeated',
      append,
      [],
    );
}

const append = (text: string, before: readonly string[]): readonly string[] => [...before, text];

function half(text: string): Half {
  if (text !== 'development' && text !== 'held-out') throw new InvalidArgumentError('Write development or held-out.');
  return text;
}

function shares(text: string): readonly number[] {
  const values = text.split(',').map((part) => {
    const [, number, percent] = /^\s*(\d+(?:\.\d+)?)\s*(%?)\s*$/.exec(part) ?? [];
    return number === undefined ? Number.NaN : Number(number) / (percent ? 100 : 1);
  });
  if (!values.every((value) => value > 0 && value < 1))
    throw new InvalidArgumentError('Write shares such as 10%,20% or 0.1,0.2.');
  return values;
}

function positive(text: string): number {
  const value = Number(text);
  if (text.trim() === '' || !(value > 0) || !Number.isFinite(value))
    throw new InvalidArgumentError('Write a number over 0.');
  return value;
}
