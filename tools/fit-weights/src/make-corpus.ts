import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { gatherCorpus } from './corpus.ts';
import { readTranscriptTexts } from './transcript-texts.ts';

// Writes a corpus for `fit`: pnpm --filter @palimpsest/fit-weights corpus <folder> [--root <unpacked packages>]... [--data <folder>]
const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: { root: { type: 'string', multiple: true }, data: { type: 'string' } },
});
const folder = positionals[0];
if (!folder)
  throw new Error('corpus: no output folder given. Usage: pnpm --filter @palimpsest/fit-weights corpus <folder>');
const dataFolder = resolve(values.data ?? fileURLToPath(new URL('../../../../shared', import.meta.url)));

const save = (kind: string, name: string, text: string): void => {
  mkdirSync(join(folder, kind), { recursive: true });
  writeFileSync(join(folder, kind, name), text);
};
const sources = {
  roots: values.root ?? [],
  dataFolder: existsSync(dataFolder) ? dataFolder : null,
  perKind: 3_000_000,
};
const taken = gatherCorpus(sources, (kind, name, text) => save(kind, `${name}.txt`, text));
if (sources.dataFolder)
  for (const { id, texts } of readTranscriptTexts(dataFolder)) save('transcript', `${id}.json`, JSON.stringify(texts));
for (const [kind, size] of [...taken].sort())
  process.stdout.write(`${kind.padEnd(14)} ${(size / 1e6).toFixed(2)} MB\n`);
