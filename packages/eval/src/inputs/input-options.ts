import { CliError } from '@palimpsest/command-line/cli-error';
import type { Terminal } from '@palimpsest/command-line/terminal';
import type { Command } from 'commander';
import { parseCount } from '../engines/parse-count.ts';
import { keepOriginal } from '../output/keep-original.ts';
import { inputsOf } from './find-inputs.ts';
import { type HomeSessions, homeInputs } from './home-sessions.ts';
import type { Input } from './input.ts';

/** Adds the argument and options that select transcripts. @param usual how many sessions are read without `--newest` */
export function addInputOptions(command: Command, usual = 'all'): Command {
  return command
    .argument('[inputs...]', 'transcripts: files, folders, or - for standard input')
    .option('--claude-code', 'also read Claude Code sessions from the home folder, newest first')
    .option('--codex', 'also read Codex sessions from the home folder, newest first')
    .option(
      '--newest <count>',
      `how many sessions to read from the home folder (default: ${usual})`,
      parseCount(999_999),
    );
}

/**
 * The inputs of a command line: named files first, then sessions of the home folder.
 * @param outputs the paths of the output files by their options; `null` for standard output
 * @throws {CliError} if no file is named, a file does not exist, or an output would overwrite an input
 */
export async function* inputsFor(
  paths: readonly string[],
  sessions: HomeSessions,
  terminal: Terminal,
  outputs: Readonly<Record<string, string | null>> = {},
): AsyncGenerator<Input> {
  const fromHome = sessions.claudeCode || sessions.codex;
  if (paths.length === 0 && !fromHome)
    throw CliError.badUsage(
      "missing required argument 'inputs': pass files or folders, or use --claude-code or --codex; see palimpsest --help",
    );
  if (sessions.newest !== undefined && !fromHome)
    throw CliError.badUsage('--newest applies to sessions of the home folder; use it with --claude-code or --codex');
  const all = async function* (): AsyncGenerator<Input> {
    yield* inputsOf(paths, terminal);
    if (fromHome) yield* await homeInputs(sessions, terminal);
  };
  for await (const input of all()) {
    for (const [option, path] of Object.entries(outputs)) await keepOriginal(input, path, option);
    yield input;
  }
}
