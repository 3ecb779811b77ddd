import { runCommand, withThrownErrors } from '@palimpsest/command-line/run-command';
import type { Terminal } from '@palimpsest/command-line/terminal';
import { PalimpsestError } from '@palimpsest/core';
import { Command } from 'commander';
import manifest from '../../package.json' with { type: 'json' };
import { addEval } from './eval-command.ts';

/** Runs one command line. An error is reported as one line on standard error and by the exit code. */
export function runProgram(arguments_: readonly string[], terminal: Terminal): Promise<void> {
  return runCommand(createProgram(terminal), arguments_, terminal, (error) =>
    PalimpsestError.is(error)
      ? { message: `${error.code}: ${error.message}`, exitCode: error.code === 'OPTION_INVALID' ? 2 : 1 }
      : null,
  );
}

function createProgram(terminal: Terminal): Command {
  const program = withThrownErrors(new Command('palimpsest-eval'), terminal.out, terminal.columns)
    .description('Score how a context is compacted, on recorded conversations and without a judge.')
    .version(manifest.version)
    .addHelpText(
      'after',
      `
Examples:
  palimpsest-eval --sample --command "python3 compact.py"
  palimpsest-eval sessions/ --module mine=./compact.js --engine compressor --html lost.html
  palimpsest-eval --claude-code --newest 5 --module ./compact.js --threshold facts=40% --threshold canaryRules=90%

A command gets { version, messages, tokens, budgetTokens } as JSON on standard input, and prints the messages that remain as a JSON array. Exit codes: 0 success, 1 invalid input or a failed compactor, 2 wrong usage, 3 below a threshold.`,
    );
  return addEval(program, terminal);
}
