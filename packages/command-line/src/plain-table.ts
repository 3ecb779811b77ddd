import Table from 'cli-table3';

/** Lines between columns and rows are left out: the columns are their own. */
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

/** Rows of cells as text in columns, without lines around them and without blanks at the ends of lines. */
export function plainTable(alignments: readonly ('left' | 'right')[], rows: readonly (readonly string[])[]): string {
  const style = { head: [], border: [], 'padding-left': 0, 'padding-right': 0 };
  const table = new Table({ chars, style, colAligns: [...alignments] });
  table.push(...rows.map((row) => [...row]));
  return table
    .toString()
    .split('\n')
    .map((line) => line.trimEnd())
    .join('\n');
}
