import { type Command, InvalidArgumentError } from 'commander';
import { CliError } from '../cli-error.ts';
import { inputsOf } from '../find-inputs.ts';
import { type HomeSessions, homeInputs } from '../home-sessions.ts';
import type { Input } from '../input.ts';
import type { Terminal } from '../terminal.ts';

/** Adds the argument and the options that say which transcripts to read. */
export function inputOptions(command: Command): Command {
  return command
    .argument('[inputs...]', 'transcripts: files, folders, or - for standard input')
    .option('--claude-code', 'also the sessions of Claude Code in the home folder, newest first')
    .option('--codex', 'also the sessions of Codex in the home folder, newest first')
    .option('--newest <count>', 'only so many sessions of the home folder (default: all)', parseCount);
}

/**
 * The inputs a command line asks for: those it names, then those of the home folder.
 * @throws {CliError} when it asks for none, and for what is not there
 */
export async function* inputsFor(
  paths: readonly string[],
  sessions: HomeSessions,
  terminal: Terminal,
): AsyncGenerator<Input> {
  const fromHome = sessions.claudeCode || sessions.codex;
  if (paths.length === 0 && !fromHome)
    throw CliError.badUsage(
      "missing required argument 'inputs': name files or folders, or give --claude-code or --codex; see palimpsest --help",
    );
  if (sessions.newest !== undefined && !fromHome)
    throw CliError.badUsage('--newest counts sessions of the home folder; give it with --claude-code or --codex');
  yield* inputsOf(paths, terminal);
  if (fromHome) yield* await homeInputs(sessions, terminal);
}

function parseCount(text: string): number {
  if (!/^\d{1,6}$/.test(text) || Number(text) === 0) throw new InvalidArgumentError('Write a number from 1 to 999999.');
  return Number(text);
}
