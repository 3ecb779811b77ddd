import { visibleText } from '@palimpsest/comparison/page/visible-text';
import type { JSX } from 'preact';

/** A half-open range of characters. */
type Range = readonly [from: number, to: number];

interface LineTextProps {
  readonly text: string;
  /** Parts to highlight, in order and without overlaps. */
  readonly marks?: readonly Range[];
}

const inlineCode: RegExp = /`[^`\n]{1,500}`/g;

/** One line of text with inline code, without its backticks, and highlighted parts. Always text nodes: transcripts may hold markup. */
export function LineText({ text, marks = [] }: LineTextProps): JSX.Element {
  const code = [...text.matchAll(inlineCode)].map(
    ({ index, 0: found }): Range => [index + 1, index + found.length - 1],
  );
  const ticks = code.flatMap(([from, to]): Range[] => [
    [from - 1, from],
    [to, to + 1],
  ]);
  const edges = [...new Set([0, text.length, ...ticks.flat(), ...marks.flat()])].sort((a, b) => a - b);
  return (
    <>
      {edges.slice(1).map((to, index) => {
        const from = edges[index]!;
        const isIn = ([start, end]: Range): boolean => start <= from && to <= end;
        if (ticks.some(isIn)) return null;
        const part = visibleText(text.slice(from, to));
        const shown = marks.some(isIn) ? <mark key={from}>{part}</mark> : part;
        return code.some(isIn) ? <code key={from}>{shown}</code> : shown;
      })}
    </>
  );
}
