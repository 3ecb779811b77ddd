import { type Command, CommanderError } from 'commander';
import { CliError } from './cli-error.ts';
import { wrapText } from './plain-table.ts';
import { printable } from './printable.ts';

/** The parts of a terminal that report an error. */
export interface ErrorTerminal {
  err(text: string): void;
  fail(exitCode: number): void;
  /** Masks secrets in what an error quotes, before it is cut. @default none */
  mask?(text: string): string;
}

/** An error as a message of one line, and an exit code. */
export interface Failure {
  readonly message: string;
  readonly exitCode: number;
}

/** Width of help where there is no terminal. */
const helpWidth = 100;
/** Descriptions of options are wrapped down to this width, which a terminal of 60 columns leaves them. */
const minWidthToWrap = 16;

/** Makes commander throw its errors. @param columns width of help; `null` for the usual one */
export function withThrownErrors(
  program: Command,
  out: (text: string) => void,
  columns: number | null = null,
): Command {
  const width = columns ?? helpWidth;
  return program
    .exitOverride()
    .configureHelp({ minWidthToWrap })
    .configureOutput({
      // Commander wraps lists of options, but no text that is added to them. Indented lines are commands to copy.
      writeOut: (text) => out(text.replace(/^(?! ).+$/gm, (line) => wrapText(line, width))),
      writeErr: () => {},
      getOutHelpWidth: () => width,
    });
}

/**
 * Runs one command line. An error is reported as one line on standard error and by the exit code: 2 for wrong usage.
 * @param explain explains the errors of the program itself; `null` for any other
 */
export async function runCommand(
  program: Command,
  arguments_: readonly string[],
  { err, fail, mask = (text) => text }: ErrorTerminal,
  explain: (error: unknown) => Failure | null = () => null,
): Promise<void> {
  try {
    await program.parseAsync(arguments_, { from: 'user' });
  } catch (error) {
    const { message, exitCode } = explain(error) ?? failureOf(error, program.name(), mask);
    if (exitCode === 0) return;
    err(`${program.name()}: ${printable(message, 1000)}\n`);
    fail(exitCode);
  }
}

function failureOf(error: unknown, name: string, mask: (text: string) => string): Failure {
  if (error instanceof CommanderError) {
    if (error.exitCode === 0) return { message: '', exitCode: 0 };
    const isHelp = error.code === 'commander.help';
    const words = isHelp ? 'no command given' : error.message.replace(/^error: /, '').replace(/\s*\n\s*/g, ' ');
    return { message: `${printable(mask(words), 400)}; see ${name} --help`, exitCode: 2 };
  }
  if (error instanceof CliError) return error;
  const reason = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
  return { message: `unexpected error (${printable(mask(reason), 300)}); please report it`, exitCode: 1 };
}
