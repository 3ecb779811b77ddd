import { checksum } from '@palimpsest/core/authoring';

/** A text in its stored form. What is copied from the conversation is stored as a reference. */
export interface SealedText {
  /** Texts, and `[start, length]` of each piece copied from the conversation. */
  readonly pieces: readonly (string | readonly [start: number, length: number])[];
  readonly checksum: string;
}

/** The conversation is indexed in blocks of this many characters. */
const block = 8;
/** Shortest copy, in characters, that is stored as a reference. A shorter one takes less room as text. */
const minCopy = 24;
/** The same for a text that has a secret in shorter copies. */
export const minSecretCopy = 15;

/**
 * Seals a text in JSON for storage.
 * @param base the conversation's texts, from `baseText`
 * @param redact masks secrets; if it changes a piece that is not in the conversation, the text contains a secret
 * @returns `null` when the text cannot be stored without a secret
 */
export function sealText(json: string, base: string, redact: (text: string) => string): SealedText | null {
  const pieces = piecesOf(json, base, redact, minCopy) ?? piecesOf(json, base, redact, minSecretCopy);
  // Copied, because a slice keeps the whole text in memory, with the conversation's text in it.
  return pieces && { pieces: JSON.parse(JSON.stringify(pieces)) as typeof pieces, checksum: checksum(json) };
}

function piecesOf(
  json: string,
  base: string,
  redact: (text: string) => string,
  minLength: number,
): SealedText['pieces'] | null {
  const blocks = new Map<string, number>();
  for (let at = 0; at + block <= base.length; at += block) {
    const key = base.slice(at, at + block);
    if (!blocks.has(key)) blocks.set(key, at);
  }
  const pieces: (string | readonly [number, number])[] = [];
  let written = 0;
  const write = (until: number): boolean => {
    if (until === written) return true;
    const piece = json.slice(written, until);
    const text = toPlainText(piece);
    if (redact(text) !== text) return false;
    pieces.push(piece);
    return true;
  };
  for (let at = 0; at + block <= json.length; ) {
    const found = blocks.get(json.slice(at, at + block));
    if (found === undefined) {
      at++;
      continue;
    }
    let start = at;
    let from = found;
    while (start > written && from > 0 && json[start - 1] === base[from - 1]) {
      start--;
      from--;
    }
    let end = at + block;
    while (end < json.length && json[end] === base[from + end - start]) end++;
    if (end - start < minLength) {
      at++;
      continue;
    }
    if (!write(start)) return null;
    pieces.push([from, end - start]);
    written = at = end;
  }
  return write(json.length) ? pieces : null;
}

/** Restores a sealed text with its conversation; `null` when it is damaged or belongs to another conversation. */
export function unsealText({ pieces, checksum: expected }: SealedText, base: string): string | null {
  const json = pieces
    .map((piece) => (typeof piece === 'string' ? piece : base.slice(piece[0], piece[0] + piece[1])))
    .join('');
  return checksum(json) === expected ? json : null;
}

/** Texts of a conversation, escaped as in JSON. */
export function baseText(texts: readonly string[]): string {
  return texts.map((text) => JSON.stringify(text).slice(1, -1)).join('\u0000');
}

/** Collects every string in a value in order, without recursion. */
export function addTexts(value: unknown, texts: string[], minLength = 0): void {
  const open: unknown[] = [value];
  while (open.length > 0) {
    const next = open.pop();
    if (typeof next === 'string') {
      if (next.length >= minLength) texts.push(next);
    } else if (typeof next === 'object' && next !== null) {
      for (const item of Object.values(next).reverse()) open.push(item);
    }
  }
}

/** True for a sealed text from a store. */
export function isSealedText(value: unknown): value is SealedText {
  const { checksum: sum, pieces } = (value ?? {}) as Partial<Record<keyof SealedText, unknown>>;
  const isCount = (part: unknown): boolean => Number.isFinite(part) && (part as number) >= 0;
  return (
    typeof sum === 'string' &&
    Array.isArray(pieces) &&
    pieces.every(
      (piece) => typeof piece === 'string' || (Array.isArray(piece) && piece.length === 2 && piece.every(isCount)),
    )
  );
}

/** Approximately the original text. Exact enough to look for secrets in it. */
function toPlainText(piece: string): string {
  return piece.replaceAll('\\n', '\n').replaceAll('\\t', '\t').replaceAll('\\"', '"').replaceAll('\\\\', '\\');
}
