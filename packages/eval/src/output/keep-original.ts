import { realpath } from 'node:fs/promises';
import { CliError } from '@palimpsest/command-line/cli-error';
import type { Input } from '../inputs/input.ts';

/**
 * Throws if an output file is its own input, also through links.
 * @param outputPath absolute, with links resolved; `null` for standard output
 * @param option the option that named the output, such as `--out`
 * @throws {CliError} if the output is the input
 */
export async function keepOriginal(input: Input, outputPath: string | null, option: string): Promise<void> {
  if (input.path === null || outputPath === null) return;
  if ((await realpath(input.path).catch(() => null)) === outputPath)
    throw CliError.badUsage(`${option} would overwrite the original "${input.label}"; name another file`);
}
