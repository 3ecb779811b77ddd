import Table from 'cli-table3';

/** One column of a table: how it is headed, which way it leans, and its cell for a row. */
export interface Column<Row> {
  readonly heading: string;
  readonly align?: 'left' | 'right';
  cell(row: Row): string;
}

/** Lines between columns and rows are left out: the columns are their own. */
const plain = {
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

/**
 * Sets rows as a table; where the terminal is too narrow for it, turned on its side, a line for each column.
 * @param columns characters a line holds; `null` for as many as it takes
 */
export function renderTable<Row>(shown: readonly Column<Row>[], rows: readonly Row[], columns: number | null): string {
  const table = new Table({ chars: plain, style, colAligns: shown.map((column) => column.align ?? 'right') });
  table.push(
    shown.map((column) => column.heading),
    ...rows.map((row) => shown.map((column) => column.cell(row))),
  );
  const text = trimmed(table.toString());
  if (columns === null || widest(text) <= columns) return text;
  const turned = new Table({ chars: plain, style, colAligns: ['left', ...rows.map((): 'right' => 'right')] });
  turned.push(
    ...shown.map((column) => [column.heading.replace('\n', ' ').trim(), ...rows.map((row) => column.cell(row))]),
  );
  return trimmed(turned.toString());
}

function trimmed(text: string): string {
  return text
    .split('\n')
    .map((line) => line.trimEnd())
    .join('\n');
}

function widest(text: string): number {
  const visible = text.replace(/\u001b\[[0-9;]*m/g, '').split('\n');
  return Math.max(...visible.map((line) => line.length));
}
