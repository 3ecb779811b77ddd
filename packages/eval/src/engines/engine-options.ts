import { type Command, InvalidArgumentError } from 'commander';
import { parseTokens } from './parse-tokens.ts';

/** The options of every command that runs an engine. */
export interface EngineOptions {
  readonly config?: string;
  readonly window?: number;
  readonly budget?: number;
  readonly focus?: string;
  readonly summarizer: string;
  readonly force?: boolean;
}

/** Description of the option `--config`, for every command. */
export const configHelp = 'a configuration file (default: palimpsest.config.* in this folder)';

/** Adds the options that select and configure engines. */
export function addEngineOptions(command: Command, engines: 'one' | 'several'): Command {
  const named =
    engines === 'several'
      ? command.option(
          '--engine <names>',
          'engines to run, by name or path, separated by commas (default: the built-in ones and the configured one)',
          parseNames,
        )
      : command.option(
          '--engine <name>',
          'the engine to run, by name or path (default: the configured one, or compressor)',
        );
  return named
    .option('--config <file>', configHelp)
    .option(
      '--window <tokens>',
      "the model's context window, such as 128k (default: the largest that the transcript outgrows)",
      parseTokens,
    )
    .option('--budget <tokens>', 'target size in tokens, such as 32k (default: chosen by the engine)', parseTokens)
    .option('--focus <topic>', 'what to keep in detail', parseText)
    .option('--summarizer <writer>', 'extractive, openai:MODEL or anthropic:MODEL', 'extractive')
    .option('--force', 'compact even below the threshold');
}

/** Parses names that are separated by commas. */
export function parseNames(text: string): readonly string[] {
  const names = text.split(',').map((name) => name.trim());
  if (names.includes(''))
    throw new InvalidArgumentError('Write names separated by single commas, such as compressor,prune-compact.');
  return [...new Set(names)];
}

function parseText(text: string): string {
  if (text.trim() === '') throw new InvalidArgumentError('Write a few words.');
  return text.trim();
}
