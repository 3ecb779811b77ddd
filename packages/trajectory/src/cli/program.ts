import { type Failure, runCommand, withThrownErrors } from '@palimpsest/command-line/run-command';
import { PalimpsestError } from '@palimpsest/core';
import type { OptionIssue } from '@palimpsest/core/authoring';
import { Command, CommanderError } from 'commander';
import manifest from '../../package.json' with { type: 'json' };
import { addCompact } from './compact-command.ts';
import { addQueueCommands } from './queue-commands.ts';

/**
 * Runs one command line. Prints an error as one line on standard error, and sets the exit code of the process: 0 success,
 * 1 failure, 2 wrong usage, 3 finished, but rows were rejected or not summarized.
 */
export async function runProgram(arguments_: readonly string[], signal: AbortSignal): Promise<void> {
  const program = withThrownErrors(new Command('palimpsest-trajectory'), (text) => process.stdout.write(text))
    .description('Fit data sets of finished agent trajectories into a training window.')
    .version(manifest.version)
    .addHelpText(
      'after',
      `
Examples:
  palimpsest-trajectory < in.jsonl > out.jsonl
  palimpsest-trajectory raw/ --out fitted/ --resume
  palimpsest-trajectory raw.jsonl.gz --out fitted.jsonl.gz --summarizer openai:gpt-5-mini
  palimpsest-trajectory enqueue raw/*.jsonl --out fitted/ && palimpsest-trajectory worker

Exit codes: 0 success, 1 failure, 2 wrong usage, 3 finished, but rows were rejected or not summarized.`,
    );
  const compact = addCompact(program, signal);
  // `compact` is the default command, so the help of the program lists its options.
  program.addHelpText('after', () => `\nThe default command:\n\n${compact.helpInformation()}`);
  addQueueCommands(program, signal);
  const terminal = {
    err: (text: string) => process.stderr.write(text),
    fail: (exitCode: number) => {
      process.exitCode = exitCode;
    },
  };
  await runCommand(program, arguments_, terminal, (error) => explain(error, signal));
}

/** Explains an error of the program. */
function explain(error: unknown, signal: AbortSignal): Failure | null {
  if (error instanceof CommanderError) return null;
  if (signal.aborted) return { message: 'interrupted; continue with --resume', exitCode: 1 };
  if (!PalimpsestError.is(error)) return null;
  const { code, message, details } = error;
  if (code === 'RUN_UNFINISHED') return { message: `${message} (--resume)`, exitCode: 2 };
  if (code !== 'OPTION_INVALID') return { message, exitCode: 1 };
  const issues = (details.issues as readonly OptionIssue[]).map((issue) => `${issue.path}: ${issue.message}`);
  return { message: issues.join('. ') || message, exitCode: 2 };
}
