import { CliError } from '@palimpsest/command-line/cli-error';
import { runCommand, withThrownErrors } from '@palimpsest/command-line/run-command';
import type { Terminal } from '@palimpsest/command-line/terminal';
import { PalimpsestError } from '@palimpsest/core';
import { Command, CommanderError } from 'commander';
import manifest from '../package.json' with { type: 'json' };
import { addCompact } from './commands/compact.ts';
import { addCompare } from './commands/compare.ts';
import { addEngines } from './commands/engines.ts';
import { addForget } from './commands/forget.ts';
import { addHandoff } from './commands/handoff.ts';
import { addInspect } from './commands/inspect.ts';
import { addMcp } from './commands/mcp.ts';
import { addProxy } from './commands/proxy.ts';
import { addRecall } from './commands/recall.ts';
import { addRedact } from './commands/redact.ts';
import { addRun } from './commands/run.ts';
import { addSavings } from './commands/savings.ts';
import { addSeparatePrograms } from './commands/separate-programs.ts';
import { addTop } from './commands/top.ts';

const commands = [
  addRun,
  addProxy,
  addTop,
  addForget,
  addMcp,
  addRecall,
  addHandoff,
  addSavings,
  addCompare,
  addInspect,
  addCompact,
  addRedact,
  addEngines,
  addSeparatePrograms,
];

/** Runs one command line. An error is reported as one line on standard error and by the exit code. */
export function runProgram(arguments_: readonly string[], terminal: Terminal): Promise<void> {
  const given = arguments_.length === 0 ? ['--help'] : arguments_;
  return runCommand(createProgram(terminal), given, terminal, (error) => {
    if (error instanceof CommanderError || error instanceof CliError) return null;
    if (terminal.signal.aborted) return { message: 'interrupted; no file was written', exitCode: 1 };
    return PalimpsestError.is(error) ? { message: `${error.code}: ${error.message}`, exitCode: 1 } : null;
  });
}

function createProgram(terminal: Terminal): Command {
  const program = withThrownErrors(new Command('palimpsest'), terminal.out, terminal.columns)
    .description('Keep LLM agents inside their context window, and look at what fills it.')
    .version(manifest.version, '-v, --version', 'print the version')
    .enablePositionalOptions()
    .addHelpText(
      'after',
      `
Examples:
  palimpsest run -- claude
  palimpsest compare session.json

Transcripts are OpenAI, Anthropic, AI SDK or ShareGPT conversations as JSON or JSONL, and the sessions that Claude Code and Codex store in the home folder.
Exit codes: 0 success, 1 invalid input or a result that breaks the contract, 2 wrong usage. The exit code of run is that of the agent.`,
    );
  // Commands copy the settings above, so they must be added last.
  for (const add of commands) add(program, terminal);
  return program;
}
