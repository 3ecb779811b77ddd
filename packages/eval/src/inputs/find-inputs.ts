import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { basename, join, relative, resolve } from 'node:path';
import { CliError } from '@palimpsest/command-line/cli-error';
import { printable } from '@palimpsest/command-line/printable';
import { systemReason } from '@palimpsest/command-line/system-reason';
import type { Terminal } from '@palimpsest/command-line/terminal';
import { filesBelow } from './files-below.ts';
import { type Input, isLinesFile, transcriptExtension } from './input.ts';

/**
 * The input a path names: a file, or standard input for `-`.
 * @returns `null` for a folder
 * @throws {CliError} for a path that does not exist
 */
export async function inputOf(path: string, terminal: Terminal): Promise<Input | null> {
  if (path === '-')
    return {
      label: 'standard input',
      stem: 'stdin',
      isLines: false,
      path: null,
      named: true,
      open: () => terminal.stdin,
    };
  const absolute = resolve(terminal.cwd, path);
  const found = await stat(absolute).catch((error: unknown) => {
    throw CliError.badInput(`cannot read "${printable(path)}": ${systemReason(error)}; check the path`, error);
  });
  return found.isDirectory() ? null : fileInput(absolute, path, true);
}

/**
 * The inputs of a command: files, `-`, and the files below folders whose extension is that of a transcript. Folders are
 * walked in alphabetical order; hidden folders, `node_modules` and links to folders are skipped.
 * @throws {CliError} for a path that does not exist and for a folder without a matching file
 */
export async function* inputsOf(paths: readonly string[], terminal: Terminal): AsyncGenerator<Input> {
  for (const path of paths) {
    const input = await inputOf(path, terminal);
    if (input) {
      yield input;
      continue;
    }
    const absolute = resolve(terminal.cwd, path);
    const labelOf = (inside: string): string => join(path, relative(absolute, inside));
    const search = {
      accepts: (name: string) => transcriptExtension.test(name),
      enters: (name: string) => name !== 'node_modules' && !name.startsWith('.'),
      onUnreadable(folder: string, error: unknown) {
        throw CliError.badInput(
          `cannot read the folder "${printable(labelOf(folder))}": ${systemReason(error)}; check its permissions`,
          error,
        );
      },
    };
    let files = 0;
    for await (const { path: inside } of filesBelow(absolute, search)) {
      files++;
      yield fileInput(inside, labelOf(inside), false);
    }
    if (files === 0)
      throw CliError.badInput(
        `the folder "${printable(path)}" contains no .json, .jsonl or .ndjson file; pass a folder with transcripts, or a file`,
      );
  }
}

/** @param named true if the user named the path */
export function fileInput(absolute: string, label: string, named: boolean): Input {
  return {
    label: printable(label),
    stem: basename(absolute).replace(transcriptExtension, ''),
    isLines: isLinesFile(absolute),
    path: absolute,
    named,
    open: () => readBytes(absolute, label),
  };
}

async function* readBytes(absolute: string, label: string): AsyncGenerator<Uint8Array> {
  try {
    yield* createReadStream(absolute, { highWaterMark: 1 << 18 }) as AsyncIterable<Uint8Array>;
  } catch (error) {
    throw CliError.badInput(`cannot read "${printable(label)}": ${systemReason(error)}; check the path`, error);
  }
}
