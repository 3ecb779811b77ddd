import { CliError } from '@palimpsest/command-line/cli-error';
import { printable } from '@palimpsest/command-line/printable';
import type { Terminal } from '@palimpsest/command-line/terminal';
import { inputOf } from '@palimpsest/eval/inputs/find-inputs';
import type { Input } from '@palimpsest/eval/inputs/input';

/**
 * Opens the only input of a command that writes one output.
 * @throws {CliError} for a folder, and for a path that does not exist
 */
export async function singleInput(path: string, terminal: Terminal): Promise<Input> {
  const input = await inputOf(path, terminal);
  if (input) return input;
  throw CliError.badUsage(`"${printable(path)}" is a folder; this command takes one file, or - for standard input`);
}
