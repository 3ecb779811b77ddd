import { realpath } from 'node:fs/promises';
import { Complaint } from './complaint.ts';
import type { Input } from './input.ts';

/**
 * Checks that an output file does not replace the input it is made from, whatever links lead there.
 * @param outputPath absolute, with links resolved; `null` for standard output
 * @param option the option that named the output, such as `--out`
 * @throws {Complaint} when the output is the input
 */
export async function keepOriginal(input: Input, outputPath: string | null, option: string): Promise<void> {
  if (input.path === null || outputPath === null) return;
  if ((await realpath(input.path).catch(() => null)) === outputPath)
    throw Complaint.badUsage(`${option} would overwrite the original "${input.label}"; name another file`);
}
