import type { Finding } from '../finding.ts';
import { newlinesOf } from '../mask.ts';

/** A text in a list. `field` is the property of the item that contains it, or null if the item is the text. */
interface Part {
  readonly index: number;
  readonly field: string | null;
  readonly text: string;
}

/** A single word or number. After a masked secret it is more likely ordinary text than the rest of the secret. */
const word = /^(?:[A-Z]?[a-z]+|\d+)$/;

/** Fields that contain the text of a message part. */
const textFields = ['text', 'thinking', 'content'];

function partOf(item: unknown, index: number): Part | null {
  if (typeof item === 'string') return { index, field: null, text: item };
  if (typeof item !== 'object' || item === null) return null;
  const field = textFields.find((one) => typeof (item as Record<string, unknown>)[one] === 'string');
  return field === undefined ? null : { index, field, text: (item as Record<string, string>)[field]! };
}

/** A text with its piece of a split secret masked. */
export interface ChangedPart {
  readonly index: number;
  readonly field: string | null;
  readonly text: string;
}

/** Masks secrets that are split over the texts of a list. Returns only the changed texts. */
export function maskSplitSecrets(
  list: readonly unknown[],
  inspect: (text: string) => readonly Finding[],
): ChangedPart[] {
  const parts = list.map(partOf).filter((part) => part !== null);
  if (parts.length < 2) return [];
  const findings = inspect(parts.map(({ text }) => text).join(''));
  const changed: ChangedPart[] = [];
  let [from, next] = [0, 0];
  /** True if the previous part, inspected alone, ends with a secret. The current part may then be ordinary text. */
  let isEnded = false;
  for (const { index, field, text } of parts) {
    const end = from + text.length;
    const pieces: Piece[] = [];
    for (; next < findings.length && findings[next]!.start < end; next += 1) {
      const { start, end: secretEnd } = findings[next]!;
      if (secretEnd > from) pieces.push({ start: Math.max(start, from) - from, end: Math.min(secretEnd, end) - from });
      // The rest of this secret is in the next part.
      if (secretEnd > end) break;
    }
    const own = inspect(text);
    if (isEnded && pieces[0]?.start === 0 && word.test(text.slice(0, pieces[0].end))) pieces.shift();
    const hidden = findUncovered(pieces, own);
    isEnded = own.at(-1)?.end === text.length;
    if (hidden.length > 0) changed.push({ index, field, text: mask(text, hidden) });
    from = end;
  }
  return changed;
}

interface Piece {
  readonly start: number;
  readonly end: number;
}

/** The pieces that no finding of the part itself covers. Such findings are masked separately. Both lists are in order. */
function findUncovered(pieces: readonly Piece[], findings: readonly Piece[]): Piece[] {
  let next = 0;
  return pieces.filter(({ start, end }) => {
    while (next < findings.length && findings[next]!.end < end) next += 1;
    return next === findings.length || findings[next]!.start > start;
  });
}

function mask(text: string, pieces: readonly Piece[]): string {
  let [result, from] = ['', 0];
  for (const { start, end } of pieces) {
    result += `${text.slice(from, start)}***${newlinesOf(text.slice(start, end))}`;
    from = end;
  }
  return result + text.slice(from);
}
