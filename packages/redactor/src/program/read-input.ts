import { readFile } from 'node:fs/promises';
import { printable } from '@palimpsest/command-line/printable';
import { systemReason } from '@palimpsest/command-line/system-reason';

/** Standard input, or a substitute for it. */
export type InputStream = AsyncIterable<Uint8Array> & { readonly isTTY?: boolean };

/** Thrown when an input cannot be read. The message says which one and why, but never quotes its content. */
export class UnreadableInput extends Error {}

/** Largest input in bytes. Private keys span lines, so an input is read into one string, and strings are limited. */
const LARGEST = 500_000_000;

/** Reads a file, or standard input for `-`, as UTF-8 text. */
export async function readInput(file: string, stdin: InputStream): Promise<string> {
  const name = file === '-' ? 'standard input' : printable(file);
  if (file === '-' && stdin.isTTY) {
    throw new UnreadableInput('no input: name a file or pipe text in; see palimpsest-redactor --help');
  }
  let bytes: Uint8Array;
  try {
    bytes = file === '-' ? await readAll(stdin) : await readFile(file);
  } catch (error) {
    throw new UnreadableInput(`${name} cannot be read: ${systemReason(error)}`);
  }
  if (bytes.length > LARGEST) throw new UnreadableInput(`${name} is larger than 500 MB: split it at line ends`);
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw new UnreadableInput(`${name} is not UTF-8 text: convert it, for example with iconv`);
  }
}

async function readAll(stream: AsyncIterable<Uint8Array>): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of stream) chunks.push(chunk);
  return Buffer.concat(chunks);
}
