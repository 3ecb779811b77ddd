import { printable } from '@palimpsest/command-line/printable';

/** Why something failed, in one line of at most 200 characters. */
export function oneLine(error: unknown): string {
  return printable(error instanceof Error ? error.message : String(error), 200);
}
