import { readdir, realpath, stat } from 'node:fs/promises';
import { basename, extname, join, relative, resolve, sep } from 'node:path';
import { PalimpsestError } from '@palimpsest/core';
import { fileFailure } from './file-failure.ts';
import { isByproduct } from './shard-paths.ts';

/** A file and what becomes of it. Absolute paths. */
export interface Shard {
  readonly input: string;
  readonly output: string;
}

/**
 * Pairs inputs with outputs. One file goes to `out`, or into it when it is a folder; several files, or a folder with all
 * the JSONL files below it, go into the folder `out` under their own names.
 * @throws {PalimpsestError} `FILE_FAILED`, `OPTION_INVALID`
 */
export async function findShards(inputs: readonly string[], out: string, cwd: string): Promise<Shard[]> {
  const target = resolve(cwd, out);
  const found: { readonly input: string; readonly name: string }[] = [];
  let isFolder = inputs.length > 1 || out.endsWith('/') || out.endsWith(sep) || (await isDirectory(target));
  for (const given of inputs) {
    const path = resolve(cwd, given);
    const information = await stat(path).catch((error: unknown) => {
      throw fileFailure('read', given, error);
    });
    if (!information.isDirectory()) {
      found.push({ input: path, name: basename(path) });
      continue;
    }
    isFolder = true;
    const files = await readdir(path, { recursive: true });
    const shards = files.filter((name) => isJsonLines(name) && !isWithin(join(path, name), target)).sort();
    if (shards.length === 0) throw refuse('inputs', `the folder "${given}" holds no .jsonl or .jsonl.gz files`);
    for (const name of shards) found.push({ input: join(path, name), name: relative('.', name) });
  }
  if (found.length === 0) throw refuse('inputs', 'there is nothing to read');
  const shards = found.map(({ input, name }) => ({ input, output: isFolder ? join(target, name) : target }));
  await checkOutputs(shards);
  return shards;
}

async function checkOutputs(shards: readonly Shard[]): Promise<void> {
  const outputs = new Set<string>();
  const inputs = new Set(await Promise.all(shards.map(({ input }) => realpath(input))));
  for (const { input, output } of shards) {
    if (outputs.has(output)) throw refuse('inputs', `two inputs would be written to "${output}"; run them apart`);
    outputs.add(output);
    if (inputs.has(await realpath(output).catch(() => output)))
      throw refuse('out', `"${output}" is an input; name another place`);
    if (await isDirectory(output)) throw refuse('out', `"${output}" is a folder, and "${input}" needs a file there`);
  }
}

function isJsonLines(name: string): boolean {
  const plain = name.replace(/\.gz$/, '');
  return ['.jsonl', '.ndjson'].includes(extname(plain)) && !isByproduct(name);
}

function isWithin(path: string, folder: string): boolean {
  return path === folder || path.startsWith(folder + sep);
}

async function isDirectory(path: string): Promise<boolean> {
  return (await stat(path).catch(() => null))?.isDirectory() ?? false;
}

function refuse(option: string, message: string): PalimpsestError {
  return new PalimpsestError('OPTION_INVALID', `${message}.`, { issues: [{ path: [option], message }] });
}
