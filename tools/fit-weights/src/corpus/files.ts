import { createHash } from 'node:crypto';
import { type Dirent, existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Adds one document. Documents of one source share the part of their name before the last dash. */
export type DocumentSink = (kind: string, name: string, text: string) => void;

export const repository: string = fileURLToPath(new URL('../../../..', import.meta.url));

export const hash = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, 10);

/** Lists the files below a folder in a deterministic shuffled order. */
export function* walk(root: string, depth = 12): Generator<string> {
  if (depth === 0 || !existsSync(root)) return;
  for (const entry of shuffle(readdirSync(root, { withFileTypes: true }))) {
    const path = join(root, entry.name);
    if (entry.isDirectory()) yield* walk(path, depth - 1);
    else if (entry.isFile()) yield path;
  }
}

/** Shuffles deterministically, so that a kind at its limit contains a mix instead of the alphabetically first files. */
export function shuffle(entries: readonly Dirent[]): Dirent[] {
  const keyed = entries.map((entry) => ({ entry, key: hash(entry.name) }));
  return keyed.sort((a, b) => (a.key < b.key ? -1 : 1)).map(({ entry }) => entry);
}

/** Reads a text file, unless it is too large. */
export const readText = (path: string): string => (statSync(path).size < 3_000_000 ? readFileSync(path, 'utf8') : '');
export const stripMarkup = (text: string): string =>
  text
    .replace(/<(script|style)[\s\S]*?<\/\1>/g, '')
    .replace(/<[^>]+>/g, '')
    .replace(/&(?:nbsp|#160);/g, ' ')
    .replace(/&lt;/g, '<')
    .replace(/&gt;/g, '>')
    .replace(/&amp;/g, '&')
    .replace(/\n\s*\n\s*/g, '\n\n');
