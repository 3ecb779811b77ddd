import Table from 'cli-table3';

/** A table without lines. */
const chars = {
  top: '',
  'top-mid': '',
  'top-left': '',
  'top-right': '',
  bottom: '',
  'bottom-mid': '',
  'bottom-left': '',
  'bottom-right': '',
  left: '',
  'left-mid': '',
  mid: '',
  'mid-mid': '',
  right: '',
  'right-mid': '',
  middle: '  ',
} as const;
const style = { head: [], border: [], 'padding-left': 0, 'padding-right': 0 };

/** Formats rows as aligned columns, without lines and without trailing blanks. */
export function plainTable(alignments: readonly ('left' | 'right')[], rows: readonly (readonly string[])[]): string {
  const table = new Table({ chars, style, colAligns: [...alignments] });
  table.push(...rows.map((row) => [...row]));
  return withoutTrailingBlanks(table.toString());
}

/** Breaks text between words into lines of a width. A longer word is cut. */
export function fitted(text: string, width: number): string {
  const table = new Table({ chars, style, colWidths: [width], wordWrap: true });
  table.push([text]);
  return withoutTrailingBlanks(table.toString());
}

function withoutTrailingBlanks(text: string): string {
  return text
    .split('\n')
    .map((line) => line.trimEnd())
    .join('\n');
}
