import { Command } from 'commander';
import manifest from '../../package.json' with { type: 'json' };
import { addCompress } from './compress-command.ts';
import type { ExitCode } from './exit-code.ts';
import { explain } from './explain.ts';
import { addQueueCommands } from './queue-commands.ts';
import type { Terminal } from './terminal.ts';

/** Runs one command line. Prints an error as one line on standard error. @returns the exit code */
export async function runProgram(arguments_: readonly string[], terminal: Terminal): Promise<ExitCode> {
  let code: ExitCode = 0;
  const end = (exitCode: ExitCode): void => {
    code = exitCode;
  };
  const program = new Command('palimpsest-trajectory')
    .description('Fit data sets of finished agent trajectories into a training window.')
    .version(manifest.version)
    .exitOverride()
    .configureOutput({ writeOut: (text) => void terminal.stdout.write(text), writeErr: () => {} })
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
  const compress = addCompress(program, terminal, end);
  // `compress` is the default command, so the help of the program lists its options.
  program.addHelpText('after', () => `\n${optionsOf(compress)}`);
  addQueueCommands(program, terminal, end);
  try {
    await program.parseAsync(arguments_, { from: 'user' });
    return code;
  } catch (error) {
    const { message, exitCode } = explain(error, terminal.signal);
    if (message !== '') terminal.err(`palimpsest-trajectory: ${message}\n`);
    return exitCode;
  }
}

/** The options of a command, formatted as in its own help. */
function optionsOf(command: Command): string {
  const help = command.helpInformation();
  return `Options of ${command.name()}, the default command${help.slice(help.indexOf('\nOptions:') + '\nOptions'.length).trimEnd()}\n`;
}
