import { visibleText } from '@palimpsest/eval/page/visible-text';
import type { JSX } from 'preact';
import type { Range } from '../worker/find-shared-words.ts';

interface LineTextProps {
  readonly text: string;
  /** Parts to highlight, in order and without overlaps. */
  readonly marks?: readonly Range[];
}

const inlineCode: RegExp = /`[^`\n]{1,500}`/g;

/**
 * One line of text with inline code, without its backticks, and highlighted parts. Always text nodes, because transcripts
 * may hold markup.
 */
export function LineText({ text, marks = [] }: LineTextProps): JSX.Element {
  const quoted = [...text.matchAll(inlineCode)].map(({ index, 0: found }): Range => [index, index + found.length]);
  const code = quoted.map(([from, to]): Range => [from + 1, to - 1]);
  const edges = [...new Set([0, text.length, ...quoted.flat(), ...code.flat(), ...marks.flat()])].sort((a, b) => a - b);
  const [isQuoted, isCode, isMarked] = [quoted, code, marks].map(covering);
  return (
    <>
      {edges.slice(1).map((to, index) => {
        const from = edges[index]!;
        const [inQuotes, inCode, inMark] = [isQuoted!(from), isCode!(from), isMarked!(from)];
        if (inQuotes && !inCode) return null;
        const part = visibleText(text.slice(from, to));
        const shown = inMark ? <mark key={from}>{part}</mark> : part;
        return inCode ? <code key={from}>{shown}</code> : shown;
      })}
    </>
  );
}

/** Returns a function that checks whether a range covers a position. Call it with ascending positions. */
function covering(ranges: readonly Range[]): (at: number) => boolean {
  let next = 0;
  return (at) => {
    while (next < ranges.length && ranges[next]![1] <= at) next++;
    return next < ranges.length && ranges[next]![0] <= at;
  };
}
