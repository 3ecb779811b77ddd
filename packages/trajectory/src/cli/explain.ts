import { printable } from '@palimpsest/command-line/printable';
import { PalimpsestError } from '@palimpsest/core';
import { CommanderError } from 'commander';
import type { ExitCode } from './exit-code.ts';

/** What went wrong, in one line, and how the process ends. */
export function explain(
  error: unknown,
  signal: AbortSignal,
): { readonly message: string; readonly exitCode: ExitCode } {
  if (error instanceof CommanderError) {
    if (error.exitCode === 0) return { message: '', exitCode: 0 };
    const words = error.message.replace(/^error: /, '').replace(/\s*\n\s*/g, ' ');
    return { message: `${printable(words, 400)}; see palimpsest-trajectory --help`, exitCode: 2 };
  }
  if (signal.aborted) return { message: 'interrupted; --resume goes on from here', exitCode: 1 };
  if (PalimpsestError.is(error)) {
    const hint = error.code === 'RUN_UNFINISHED' ? ' (--resume or --restart)' : '';
    const isUsage = error.code === 'OPTION_INVALID' || error.code === 'RUN_UNFINISHED';
    return { message: printable(error.message, 1_000) + hint, exitCode: isUsage ? 2 : 1 };
  }
  const reason = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
  return { message: `something unexpected went wrong (${printable(reason, 400)}); please report it`, exitCode: 1 };
}
