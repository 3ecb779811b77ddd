import { Complaint } from './complaint.ts';
import { type Input, inputsOf } from './input.ts';
import { printable } from './printable.ts';
import type { Terminal } from './terminal.ts';

/**
 * The one input of a command that writes one output.
 * @throws {Complaint} for a folder
 */
export async function singleInput(path: string, terminal: Terminal): Promise<Input> {
  for await (const input of inputsOf([path], terminal)) {
    if (input.named) return input;
    break;
  }
  throw Complaint.badUsage(`"${printable(path)}" is a folder; this command takes one file, or - for standard input`);
}
