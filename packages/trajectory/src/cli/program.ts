import { printable } from '@palimpsest/command-line/printable';
import { PalimpsestError } from '@palimpsest/core';
import type { OptionIssue } from '@palimpsest/core/authoring';
import { Command, CommanderError } from 'commander';
import manifest from '../../package.json' with { type: 'json' };
import { addCompress } from './compress-command.ts';
import { addQueueCommands } from './queue-commands.ts';

/**
 * Runs one command line. Prints an error as one line on standard error, and sets the exit code of the process: 0 success,
 * 1 failure, 2 wrong usage, 3 finished, but rows were rejected or not summarized.
 */
export async function runProgram(arguments_: readonly string[], signal: AbortSignal): Promise<void> {
  const program = new Command('palimpsest-trajectory')
    .description('Fit data sets of finished agent trajectories into a training window.')
    .version(manifest.version)
    .exitOverride()
    .configureOutput({ writeErr: () => {} })
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
  const compress = addCompress(program, signal);
  // `compress` is the default command, so the help of the program lists its options.
  program.addHelpText('after', () => `\nThe default command:\n\n${compress.helpInformation()}`);
  addQueueCommands(program, signal);
  try {
    await program.parseAsync(arguments_, { from: 'user' });
  } catch (error) {
    explain(error, signal);
  }
}

/** Converts an error to a message of one line and an exit code. */
function explain(error: unknown, signal: AbortSignal): void {
  const fail = (message: string, code: 1 | 2): void => {
    process.stderr.write(`palimpsest-trajectory: ${printable(message, 1_000)}\n`);
    process.exitCode = code;
  };
  if (error instanceof CommanderError) {
    if (error.exitCode !== 0)
      fail(`${error.message.replace(/^error: /, '').replace(/\s*\n\s*/g, ' ')}; see palimpsest-trajectory --help`, 2);
  } else if (signal.aborted) {
    fail('interrupted; continue with --resume', 1);
  } else if (!PalimpsestError.is(error)) {
    fail(`unexpected error (${String(error)}); please report it`, 1);
  } else if (error.code === 'OPTION_INVALID') {
    const issues = error.details.issues as readonly OptionIssue[];
    fail(issues.map(({ path, message }) => `${path}: ${message}`).join('. ') || error.message, 2);
  } else if (error.code === 'RUN_UNFINISHED') {
    fail(`${error.message} (--resume)`, 2);
  } else fail(error.message, 1);
}
