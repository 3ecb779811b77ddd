import type { SeparatedText } from '@palimpsest/core/authoring';
import type { BlockKindOf } from './block-kind.ts';
import { beginsLine, isDocument, type Mark, marksIn } from './quoted-blocks.ts';
import { findRetrievedContext, lastQuestion } from './quoted-labels.ts';

/**
 * Separates inserted text that begins in one text of a message and ends in a later one: blocks whose tags are in different
 * texts, and retrieved context before the label of the question. The last end counts, so that a document cannot end its own
 * block. Words of a person can follow only in a text that begins with the end: the harness wrote where a text begins, but
 * not what is in it. Linear time.
 */
export function separateAcross(texts: readonly string[], kindOf: BlockKindOf): SeparatedText[] {
  const ends = lastEnds(texts, kindOf);
  const read: SeparatedText[] = [];
  for (let at = 0, from = 0; at < texts.length; at++) {
    const text = texts[at]!;
    const before = from === 0 ? [] : [text.slice(0, from)];
    const open = openEnd(text.slice(from), at, ends, kindOf);
    if (!open) {
      read.push({ own: text.slice(from), quoted: before, observed: from > 0 });
      from = 0;
      continue;
    }
    const begin = from + open.from;
    read.push({ own: text.slice(from, begin), quoted: [...before, text.slice(begin)], observed: true });
    for (at++; at < open.end.at; at++) read.push({ own: '', quoted: [texts[at]!], observed: true });
    from = open.end.to;
    at--;
  }
  return read;
}

interface End {
  /** Index of the text. */
  readonly at: number;
  /** Offset in the text. */
  readonly to: number;
}

/** The key of the label of a question; not the name of a tag. */
const question = '?';

/** Returns the last place where a tag is closed that was opened in an earlier text, by name, and the last question. */
function lastEnds(texts: readonly string[], kindOf: BlockKindOf): ReadonlyMap<string, End> {
  const ends = new Map<string, End>();
  texts.forEach((text, at) => {
    const begin = text.length - text.trimStart().length;
    for (const { name, closes, from, to } of findUnpaired(marksIn(text, kindOf)))
      if (closes) ends.set(name, { at, to: from <= begin ? to : text.length });
    const asked = lastQuestion(text);
    // The question may follow the end of the context, but not in a part of the context.
    const isAsked = at === texts.length - 1 || text.slice(0, asked).trim() === '';
    if (asked >= 0) ends.set(question, { at, to: isAsked ? asked : text.length });
  });
  return ends;
}

/** Returns where text begins that a later text ends. */
function openEnd(
  text: string,
  at: number,
  ends: ReadonlyMap<string, End>,
  kindOf: BlockKindOf,
): { readonly from: number; readonly end: End } | null {
  if (ends.size === 0) return null;
  const { length } = text.trimEnd();
  /** The end, if it is in a later text; not in the next one if that has to be the content. */
  const endAfter = (name: string, from: number): End | null => {
    const end = ends.get(name);
    return end && end.at > at + (from >= length ? 1 : 0) ? end : null;
  };
  for (const mark of findUnpaired(marksIn(text, kindOf))) {
    const end = mark.closes || (isDocument(mark) && !beginsLine(text, mark.from)) ? null : endAfter(mark.name, mark.to);
    if (end) return { from: mark.from, end };
  }
  const context = ends.has(question) ? findRetrievedContext(text) : -1;
  const end = context < 0 ? null : endAfter(question, context + 1);
  return end && { from: context, end };
}

/** Returns the tags without a counterpart, in order. */
function findUnpaired(marks: readonly Mark[]): Mark[] {
  const open = new Map<string, Mark[]>();
  const left = new Set<Mark>();
  for (const mark of marks) {
    const waiting = open.get(mark.name) ?? [];
    open.set(mark.name, waiting);
    const begun = mark.closes ? waiting.pop() : undefined;
    if (begun) left.delete(begun);
    else left.add(mark);
    if (!mark.closes) waiting.push(mark);
  }
  return [...left];
}
