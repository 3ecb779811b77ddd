import { type SeparatedText, separateQuotes } from '@palimpsest/core/authoring';
import type { BlockKind, BlockKindOf } from './block-kind.ts';

const tag: RegExp = /<(\/?)([A-Za-z][\w.-]{0,60})(?:\s[^<>]*)?>/g;

/** A tag of inserted text. */
export interface Mark {
  readonly name: string;
  readonly kind: BlockKind;
  readonly closes: boolean;
  readonly from: number;
  readonly to: number;
}

/**
 * Separates inserted blocks from a text: blocks in tags of known harnesses, and blocks in tags named like documents or
 * output. A document block must begin a line or span several lines, so that sentences about tags are not affected. A
 * surplus closing tag extends the block before it, so a document cannot end its own block. Linear time.
 */
export function separateBlocks(text: string, kindOf: BlockKindOf): SeparatedText {
  if (!text.includes('<')) return { own: text, quoted: [], observed: false };
  const bare = separateQuotes(text);
  const marks = marksIn(bare.own, kindOf);
  if (marks.length === 0) return bare;
  const ends = blockEnds(marks);
  const quoted = [...bare.quoted];
  let own = '';
  let from = 0;
  let { observed } = bare;
  for (let at = 0; at < marks.length; at++) {
    const mark = marks[at]!;
    if (mark.closes || mark.from < from) continue;
    const end = ends[at]!;
    // An unclosed harness block extends to the end of the text.
    if (end < 0 && isDocument(mark)) continue;
    const to = end < 0 ? bare.own.length : marks[end]!.to;
    const block = bare.own.slice(mark.from, to);
    if (isDocument(mark) && !beginsLine(bare.own, mark.from) && !block.includes('\n')) continue;
    own += bare.own.slice(from, mark.from);
    quoted.push(block);
    observed ||= mark.kind === 'observed' || mark.kind === 'output';
    from = to;
  }
  return { own: own + bare.own.slice(from), quoted, observed };
}

/** True for a tag that no known harness uses and that is classified by its name. */
export function isDocument({ kind }: Mark): boolean {
  return kind === 'document' || kind === 'output';
}

/**
 * True for a text that ends with the opening tag of inserted text: the next part of the message is the content. A tag
 * that no known harness uses must begin its line.
 */
export function opensBlock(text: string, kindOf: BlockKindOf): boolean {
  if (!text.endsWith('>')) return false;
  const last = marksIn(text.slice(text.lastIndexOf('\n') + 1), kindOf).at(-1);
  const line = text.slice(text.lastIndexOf('\n') + 1);
  return (
    last !== undefined && !last.closes && last.to === line.length && (!isDocument(last) || beginsLine(line, last.from))
  );
}

/** Returns the tags of inserted text in a text, in order. */
export function marksIn(text: string, kindOf: BlockKindOf): Mark[] {
  const marks: Mark[] = [];
  for (const { 0: whole, 1: slash, 2: written, index } of text.matchAll(tag)) {
    if (whole.endsWith('/>')) continue;
    const kind = kindOf(written!);
    if (kind)
      marks.push({ name: written!.toLowerCase(), kind, closes: slash === '/', from: index, to: index + whole.length });
  }
  return marks;
}

/** Returns for each opening tag the index of the mark that closes its block, or -1. */
function blockEnds(marks: readonly Mark[]): Int32Array {
  const ends = new Int32Array(marks.length).fill(-1);
  const open = new Map<string, number[]>();
  const newest = new Map<string, number>();
  marks.forEach(({ name, closes }, at) => {
    let waiting = open.get(name);
    if (!waiting) open.set(name, (waiting = []));
    if (!closes) waiting.push(at);
    else if (waiting.length > 0) {
      const begun = waiting.pop()!;
      ends[begun] = at;
      if (waiting.length === 0) newest.set(name, begun);
    } else if (newest.has(name)) ends[newest.get(name)!] = at;
  });
  return ends;
}

/** True if only spaces are before an offset in its line. */
export function beginsLine(text: string, at: number): boolean {
  let before = at - 1;
  while (text[before] === ' ' || text[before] === '\t') before--;
  return before < 0 || text[before] === '\n';
}
