import { readdir, realpath, stat } from 'node:fs/promises';
import { basename, extname, join, relative, resolve, sep } from 'node:path';
import { invalidOption } from '@palimpsest/core/authoring';
import { fileFailure } from './file-failure.ts';
import { isByproduct } from './journal.ts';

/** An input file and its output file. Absolute paths. */
export interface Shard {
  readonly input: string;
  readonly output: string;
}

/**
 * Pairs inputs with outputs. A single file is written to `out`, or into it if it is a folder. Several files, or all
 * JSONL files in and below a folder, are written into the folder `out` under their own names.
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
    if (shards.length === 0)
      throw invalidOption('inputs', '.jsonl or .jsonl.gz files', `the folder "${given}" without any`);
    for (const name of shards) found.push({ input: join(path, name), name: relative('.', name) });
  }
  if (found.length === 0) throw invalidOption('inputs', 'at least one file or folder', 'none');
  const shards = found.map(({ input, name }) => ({ input, output: isFolder ? join(target, name) : target }));
  await checkOutputs(shards);
  return shards;
}

async function checkOutputs(shards: readonly Shard[]): Promise<void> {
  const outputs = new Set<string>();
  const inputs = new Set(await Promise.all(shards.map(({ input }) => realpath(input))));
  for (const { input, output } of shards) {
    if (outputs.has(output))
      throw invalidOption(
        'inputs',
        'files with different names; run the others separately',
        `two inputs for "${output}"`,
      );
    outputs.add(output);
    if (inputs.has(await realpath(output).catch(() => output)))
      throw invalidOption('out', 'another file than the input', `"${output}"`);
    if (await isDirectory(output)) throw invalidOption('out', `a file for "${input}"`, `the folder "${output}"`);
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
