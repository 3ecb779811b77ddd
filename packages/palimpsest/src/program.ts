import { CliError } from '@palimpsest/command-line/cli-error';
import { printable } from '@palimpsest/command-line/printable';
import type { Terminal } from '@palimpsest/command-line/terminal';
import { PalimpsestError } from '@palimpsest/core';
import { Command, CommanderError } from 'commander';
import manifest from '../package.json' with { type: 'json' };
import { addCompare } from './commands/compare.ts';
import { addCompress } from './commands/compress.ts';
import { addEngines } from './commands/engines.ts';
import { addInspect } from './commands/inspect.ts';
import { addMcp } from './commands/mcp.ts';
import { addProxy } from './commands/proxy.ts';
import { addRecall } from './commands/recall.ts';
import { addRedact } from './commands/redact.ts';
import { addRun } from './commands/run.ts';
import { addSeparatePrograms } from './commands/separate-programs.ts';

const commands = [
  addRun,
  addProxy,
  addMcp,
  addRecall,
  addCompare,
  addInspect,
  addCompress,
  addRedact,
  addEngines,
  addSeparatePrograms,
];

/** Runs one command line. An error is reported as one line on standard error and by the exit code. */
export async function runProgram(arguments_: readonly string[], terminal: Terminal): Promise<void> {
  try {
    await createProgram(terminal).parseAsync(arguments_, { from: 'user' });
  } catch (error) {
    const { message, exitCode } = explained(error, terminal.signal);
    if (message !== '') terminal.err(`palimpsest: ${message}\n`);
    if (exitCode !== 0) terminal.fail(exitCode);
  }
}

function createProgram(terminal: Terminal): Command {
  const program = new Command('palimpsest')
    .description('Keep LLM agents inside their context window, and look at what fills it.')
    .version(manifest.version, '-v, --version', 'print the version')
    .enablePositionalOptions()
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
  palimpsest run -- claude
  palimpsest proxy --window 64k
  palimpsest compare session.json
  palimpsest inspect --claude-code --newest 1
  palimpsest recall "staging password" --claude-code --newest 5

Transcripts are OpenAI, Anthropic, AI SDK or ShareGPT conversations as JSON or JSONL, and the sessions that Claude Code
and Codex store in the home folder.
Exit codes: 0 success, 1 invalid input or a result that breaks the contract, 2 wrong usage; run has the agent's own.`,
    );
  // Commands copy the settings above, so they must be added last.
  for (const add of commands) add(program, terminal);
  return program;
}

function explained(error: unknown, signal: AbortSignal): { readonly message: string; readonly exitCode: 0 | 1 | 2 } {
  if (error instanceof CommanderError) {
    if (error.exitCode === 0) return { message: '', exitCode: 0 };
    if (error.code === 'commander.help') return { message: 'no command given; see palimpsest --help', exitCode: 2 };
    const words = error.message.replace(/^error: /, '').replace(/\s*\n\s*/g, ' ');
    return { message: `${printable(words, 400)}; see palimpsest --help`, exitCode: 2 };
  }
  if (error instanceof CliError) return { message: printable(error.message, 1000), exitCode: error.exitCode };
  if (signal.aborted) return { message: 'interrupted; no file was written', exitCode: 1 };
  if (PalimpsestError.is(error)) return { message: `${error.code}: ${printable(error.message, 400)}`, exitCode: 1 };
  const reason = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
  return { message: `unexpected error (${printable(reason, 300)}); please report it`, exitCode: 1 };
}
