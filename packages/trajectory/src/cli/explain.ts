import { printable } from '@palimpsest/command-line/printable';
import { PalimpsestError } from '@palimpsest/core';
import type { OptionIssue } from '@palimpsest/core/authoring';
import { CommanderError } from 'commander';
import type { ExitCode } from './exit-code.ts';

/** Converts an error to a message of one line and an exit code. */
export function explain(
  error: unknown,
  signal: AbortSignal,
): { readonly message: string; readonly exitCode: ExitCode } {
  if (error instanceof CommanderError) {
    if (error.exitCode === 0) return { message: '', exitCode: 0 };
    const words = error.message.replace(/^error: /, '').replace(/\s*\n\s*/g, ' ');
    return { message: `${printable(words, 400)}; see palimpsest-trajectory --help`, exitCode: 2 };
  }
  if (signal.aborted) return { message: 'interrupted; continue with --resume', exitCode: 1 };
  if (PalimpsestError.is(error)) {
    const hint = error.code === 'RUN_UNFINISHED' ? ' (--resume or --restart)' : '';
    const isUsage = error.code === 'OPTION_INVALID' || error.code === 'RUN_UNFINISHED';
    return { message: printable(inOneLine(error), 1_000) + hint, exitCode: isUsage ? 2 : 1 };
  }
  const reason = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
  return { message: `unexpected error (${printable(reason, 400)}); please report it`, exitCode: 1 };
}

/** The message of an error. Invalid options are listed without the heading. */
function inOneLine({ message, details }: PalimpsestError): string {
  const issues = (details as { readonly issues?: readonly OptionIssue[] }).issues ?? [];
  return issues.length === 0 ? message : issues.map((issue) => `${issue.path}: ${issue.message}`).join('. ');
}
