import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { random } from './synthetic.ts';

/** A message-sized piece of a document. */
export interface Sample {
  readonly kind: string;
  readonly text: string;
  /** True if the document is in the half used for fitting; errors are reported on the other half. */
  readonly fitted: boolean;
}

/** Typical sizes of messages, for which the accuracy targets apply, in characters. */
const sampleCharacters = { shortest: 300, longest: 4000 };

/** Hashes a name to a stable number, used to split documents into halves. */
export function hashName(name: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < name.length; at++) hash = Math.imul(hash ^ name.charCodeAt(at), 0x01000193) >>> 0;
  return Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d) >>> 0;
}

/** Cuts a text into samples of 300 to 4,000 characters; short and long samples are equally frequent. */
export function* pieces(text: string, next: () => number): Generator<string> {
  const { shortest, longest } = sampleCharacters;
  if (text.length <= longest && text.length >= shortest && next() < 0.7) {
    yield text;
    return;
  }
  for (let at = 0; at + shortest <= text.length; ) {
    const length = Math.round(shortest * (longest / shortest) ** next());
    const piece = text.slice(at, at + length);
    if (piece.length >= shortest && piece.trim().length > shortest / 2) yield piece;
    at += length;
  }
}

/**
 * Reads a corpus: `<folder>/<kind>/<document>`, each document a text or a JSON list of texts. Documents are split in
 * two halves by name (the part before the last dash, so that all parts of one source fall on one side), and each half of a kind gives at most `perKind(kind)`.
 */
export function readSamples(folder: string, perKind: (kind: string) => number): Sample[] {
  const samples: Sample[] = [];
  for (const kind of readdirSync(folder).sort()) {
    const halves: [string[], string[]] = [[], []];
    for (const name of readdirSync(join(folder, kind)).sort()) {
      const content = readFileSync(join(folder, kind, name), 'utf8');
      const texts = name.endsWith('.json') ? (JSON.parse(content) as string[]) : [content];
      // Generated kinds have only a few sources, and both halves need all of them.
      const source = name.replace(/-[^-]*$/, '').length > 12 ? name.replace(/-[^-]*$/, '') : name;
      const half = halves[hashName(`${kind}/${source}`) & 1]!;
      const next = random(hashName(name));
      for (const text of texts) half.push(...pieces(text, next));
    }
    for (const [index, half] of halves.entries()) {
      const next = random(hashName(kind));
      for (let at = half.length - 1; at > 0; at--) {
        const other = Math.floor(next() * (at + 1));
        [half[at], half[other]] = [half[other]!, half[at]!];
      }
      for (const text of half.slice(0, perKind(kind))) samples.push({ kind, text, fitted: index === 0 });
    }
  }
  return samples;
}
