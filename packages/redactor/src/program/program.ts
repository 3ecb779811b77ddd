import { readFile } from 'node:fs/promises';
import { printable } from '@palimpsest/command-line/printable';
import { runCommand, withThrownErrors } from '@palimpsest/command-line/run-command';
import { systemReason } from '@palimpsest/command-line/system-reason';
import { Command } from 'commander';
import manifest from '../../package.json' with { type: 'json' };
import { inspect, type RedactOptions, redact } from '../index.ts';

/** Standard input, or a substitute for it. */
type InputStream = AsyncIterable<Uint8Array> & { readonly isTTY?: boolean };

/** Thrown when an input cannot be read. The message says which one and why, but never quotes its content. */
class UnreadableInput extends Error {}

/** Largest input in bytes. Private keys span lines, so an input is read into one string, and strings are limited. */
const maxInputBytes = 500_000_000;

/** The streams of the process that the program uses. */
export interface Terminal {
  readonly stdin: InputStream;
  out(text: string): void;
  err(text: string): void;
}

/** 0: done, or nothing found. 1: `--check` found secrets. 2: wrong usage, or an input could not be read. */
export type ExitCode = 0 | 1 | 2;

interface Options {
  readonly check?: boolean;
  readonly code?: boolean;
}

/** Runs one command line. Errors are written to standard error, each on one line. */
export async function runProgram(arguments_: readonly string[], terminal: Terminal): Promise<ExitCode> {
  let code: ExitCode = 0;
  const program = withThrownErrors(new Command('palimpsest-redactor'), terminal.out)
    .description('Mask the secrets in files or standard input. All other text stays unchanged.')
    .argument('[files...]', 'UTF-8 text files; standard input if omitted or -')
    .option('--check', 'print the location of each secret instead of the text; exit with 1 if there are any')
    .option('--code', 'the input is source code: find tokens and private keys, but do not judge values by their names')
    .version(manifest.version)
    .addHelpText(
      'after',
      `
Examples:
  env | npx @palimpsest/redactor
  npx @palimpsest/redactor session.log > shareable.log
  npx @palimpsest/redactor --check logs/*.txt

Exit codes: 0 done, or nothing found; 1 --check found secrets; 2 wrong usage, or an input could not be read.`,
    )
    .action(async (files: string[], options: Options) => {
      code = await redactAll(files.length > 0 ? files : ['-'], options, terminal);
    });
  // The error may quote an argument.
  const err = (text: string): void => terminal.err(redact(text));
  const fail = (): void => {
    code = 2;
  };
  await runCommand(program, arguments_, { err, fail, mask: (text) => redact(text) });
  return code;
}

/** Processes the inputs in order. An unreadable input does not stop the others. */
async function redactAll(files: readonly string[], { check, code }: Options, terminal: Terminal): Promise<ExitCode> {
  const options: RedactOptions = { boundary: true, codeFile: code === true };
  let [found, failed] = [0, false];
  for (const file of files) {
    let text: string;
    try {
      text = await readInput(file, terminal.stdin);
    } catch (error) {
      if (!(error instanceof UnreadableInput)) throw error;
      terminal.err(`palimpsest-redactor: ${error.message}\n`);
      failed = true;
      continue;
    }
    if (check) found += list(file, text, options, terminal);
    else terminal.out(redact(text, options));
  }
  if (failed) return 2;
  return found > 0 ? 1 : 0;
}

/** Writes `file:line:column: kind` for each secret, never the secret; returns how many there are. */
function list(file: string, text: string, options: RedactOptions, terminal: Terminal): number {
  const findings = inspect(text, options);
  const name = file === '-' ? '(standard input)' : printable(file);
  let [line, lineStart] = [1, 0];
  for (const { kind, start } of findings) {
    for (let end = text.indexOf('\n', lineStart); end >= 0 && end < start; end = text.indexOf('\n', lineStart)) {
      line += 1;
      lineStart = end + 1;
    }
    terminal.out(`${name}:${line}:${start - lineStart + 1}: ${kind}\n`);
  }
  return findings.length;
}

/** Reads a file, or standard input for `-`, as UTF-8 text. */
async function readInput(file: string, stdin: InputStream): Promise<string> {
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
  if (bytes.length > maxInputBytes) throw new UnreadableInput(`${name} is larger than 500 MB: split it at line ends`);
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
