import type { Span } from '../finding.ts';
import { looksRandom } from '../values/looks-random.ts';
import { isHolder } from './redact-deep.ts';
import { maskSplitSecrets } from './split-secrets.ts';

/** The start of a value, as far as it may belong to a token. */
const startPattern = /^[^\s"'`\\<>]{0,512}/;
/** Shorter pieces at a cut may be ordinary text. */
const minEndLength = 6;
const minStartLength = 4;
/** Length of what begins a token and is not random. */
const prefix = 4;
const maxPieceLength = 512;
/** Most values that one secret is cut into. */
const maxValues = 8;

type Inspect = (text: string) => readonly Span[];

interface Piece {
  readonly key: string;
  readonly from: number;
  readonly text: string;
}

/**
 * Masks tokens that are cut across values of one object or list: the first part ends one value, the rest begins the next.
 * Only formats that are recognized without a name count.
 * @returns the new values by key
 */
export function maskCutSecrets(holder: object, inspect: Inspect): ReadonlyMap<string, string> {
  const values = new Map<string, string>();
  const entries = Object.entries(holder).filter((entry): entry is [string, string] => typeof entry[1] === 'string');
  for (let at = 0; at + 1 < entries.length; at += 1) {
    const pieces = piecesFrom(entries, at);
    if (pieces.length < 2) continue;
    const inspectKnown: Inspect = (text) => inspect(text).filter(({ weight }) => weight > 1);
    for (const { index, text } of maskSplitSecrets(
      pieces.map((piece) => piece.text),
      inspectKnown,
    )) {
      const { key, from, text: before } = pieces[index]!;
      const value = values.get(key) ?? entries[at + index]![1];
      values.set(key, value.slice(0, from) + text + value.slice(from + before.length));
    }
  }
  return values;
}

/** The end of a value, as far as it may belong to a token. */
function endOf(value: string): string {
  let from = value.length;
  while (from > 0 && value.length - from < maxPieceLength && startPattern.exec(value.charAt(from - 1))![0] !== '')
    from -= 1;
  return value.slice(from);
}

function piecesFrom(entries: readonly (readonly [string, string])[], at: number): Piece[] {
  const [key, value] = entries[at]!;
  const end = endOf(value);
  if (end.length < minEndLength || !(isRandomEnd(end) || isPrefixOf(end, entries[at + 1]![1]))) return [];
  const pieces: Piece[] = [{ key, from: value.length - end.length, text: end }];
  for (const [nextKey, next] of entries.slice(at + 1, at + maxValues)) {
    const text = startPattern.exec(next)![0];
    if (text.length < minStartLength) break;
    pieces.push({ key: nextKey, from: 0, text });
    if (text.length < next.length) break;
  }
  return pieces;
}

const isRandomEnd = (end: string): boolean => looksRandom(end.slice(prefix), minEndLength - prefix);

/** True for a word in front of random text, unless that text is a digest. */
function isPrefixOf(end: string, next: string): boolean {
  const start = startPattern.exec(next)![0];
  return /^[\w-]*$/.test(end) && looksRandom(start, 16) && !/^[\da-f-]*$/i.test(start);
}

/** The same in the JSON text of a call's arguments. Returns the text itself if nothing is cut. */
export function maskCutArguments(json: string, inspect: Inspect): string {
  const parsed = parseHolder(json);
  if (!parsed) return json;
  let isChanged = false;
  const open: object[] = [parsed];
  for (let holder = open.pop(); holder; holder = open.pop()) {
    for (const [key, value] of maskCutSecrets(holder, inspect)) {
      Object.defineProperty(holder, key, { value, enumerable: true, writable: true, configurable: true });
      isChanged = true;
    }
    for (const item of Object.values(holder)) if (isHolder(item)) open.push(item);
  }
  return isChanged ? JSON.stringify(parsed) : json;
}

function parseHolder(json: string): object | null {
  if (!/^\s*[{[]/.test(json)) return null;
  try {
    const value: unknown = JSON.parse(json);
    return isHolder(value) ? value : null;
  } catch {
    return null;
  }
}
