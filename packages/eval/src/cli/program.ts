import { CliError } from '@palimpsest/command-line/cli-error';
import { printable } from '@palimpsest/command-line/printable';
import type { Terminal } from '@palimpsest/command-line/terminal';
import { PalimpsestError } from '@palimpsest/core';
import { Command, CommanderError } from 'commander';
import manifest from '../../package.json' with { type: 'json' };
import { addEval } from './eval-command.ts';

/** Runs one command line. An error is reported as one line on standard error and by the exit code. */
export async function runProgram(arguments_: readonly string[], terminal: Terminal): Promise<void> {
  try {
    await createProgram(terminal).parseAsync(arguments_, { from: 'user' });
  } catch (error) {
    const { message, exitCode } = explained(error);
    if (message !== '') terminal.err(`palimpsest-eval: ${message}\n`);
    if (exitCode !== 0) terminal.fail(exitCode);
  }
}

function createProgram(terminal: Terminal): Command {
  const program = new Command('palimpsest-eval')
    .description('Score how a context is compacted, on recorded conversations and without a judge.')
    .version(manifest.version)
    .exitOverride()
    .configureOutput({
      writeOut: (text) => terminal.out(text),
      writeErr: () => {},
      getOutHelpWidth: () => terminal.columns ?? 100,
    })
    .addHelpText(
      'after',
      `
Examples:
  palimpsest-eval --sample --command "python3 compact.py"
  palimpsest-eval sessions/ --module mine=./compact.js --engine compressor --html lost.html
  palimpsest-eval --claude-code --newest 5 --module ./compact.js --threshold facts=40% --threshold canaryRules=90%

A command gets { version, messages, tokens, budgetTokens } as JSON on standard input, and prints the messages that remain as
a JSON array. Exit codes: 0 success, 1 invalid input or a failed compactor, 2 wrong usage, 3 below a threshold.`,
    );
  return addEval(program, terminal);
}

function explained(error: unknown): { readonly message: string; readonly exitCode: 0 | 1 | 2 } {
  if (error instanceof CommanderError) {
    if (error.exitCode === 0) return { message: '', exitCode: 0 };
    const words = error.message.replace(/^error: /, '').replace(/\s*\n\s*/g, ' ');
    return { message: `${printable(words, 400)}; see palimpsest-eval --help`, exitCode: 2 };
  }
  if (error instanceof CliError) return { message: printable(error.message, 1000), exitCode: error.exitCode };
  if (PalimpsestError.is(error))
    return {
      message: `${error.code}: ${printable(error.message, 800)}`,
      exitCode: error.code === 'OPTION_INVALID' ? 2 : 1,
    };
  const reason = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
  return { message: `unexpected error (${printable(reason, 300)}); please report it`, exitCode: 1 };
}
