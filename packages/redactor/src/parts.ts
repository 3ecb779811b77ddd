import type { Finding } from './finding.ts';
import { newlinesOf } from './mask.ts';

/** A text in a list, and the member of the list's item that holds it; null when the item is the text. */
interface Part {
  readonly index: number;
  readonly field: string | null;
  readonly text: string;
}

/** What begins a sentence, or says too little of a secret that is masked already. */
const WORD = /^(?:[A-Z]?[a-z]+|\d+)$/;

/** Fields in which the parts of a message hold their text. */
const TEXT_FIELDS = ['text', 'thinking', 'content'];

function partOf(item: unknown, index: number): Part | null {
  if (typeof item === 'string') return { index, field: null, text: item };
  if (typeof item !== 'object' || item === null) return null;
  const field = TEXT_FIELDS.find((one) => typeof (item as Record<string, unknown>)[one] === 'string');
  return field === undefined ? null : { index, field, text: (item as Record<string, string>)[field]! };
}

/** A text of a list that has to change because of its neighbours. */
export interface ChangedPart {
  readonly index: number;
  readonly field: string | null;
  readonly text: string;
}

/** The texts of a list that hold a piece of a secret which only all of them together show. */
export function changedParts(list: readonly unknown[], inspect: (text: string) => readonly Finding[]): ChangedPart[] {
  const parts = list.map(partOf).filter((part) => part !== null);
  if (parts.length < 2) return [];
  const findings = inspect(parts.map(({ text }) => text).join(''));
  const changed: ChangedPart[] = [];
  let [from, next] = [0, 0];
  /** The part before shows by itself where its last secret ends: what stands here may be a sentence. */
  let isEnded = false;
  for (const { index, field, text } of parts) {
    const end = from + text.length;
    const pieces: Piece[] = [];
    for (; next < findings.length && findings[next]!.start < end; next += 1) {
      const { start, end: secretEnd } = findings[next]!;
      if (secretEnd > from) pieces.push({ start: Math.max(start, from) - from, end: Math.min(secretEnd, end) - from });
      // Its rest stands in the next part.
      if (secretEnd > end) break;
    }
    const own = inspect(text);
    if (isEnded && pieces[0]?.start === 0 && WORD.test(text.slice(0, pieces[0].end))) pieces.shift();
    const hidden = uncovered(pieces, own);
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

/** The pieces that no finding holds: what a part shows by itself is masked there, in its own way. Both are in order. */
function uncovered(pieces: readonly Piece[], findings: readonly Piece[]): Piece[] {
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
