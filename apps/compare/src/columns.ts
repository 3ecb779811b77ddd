import { plainTable } from '@palimpsest/command-line/plain-table';

/** One column of a table: how it is headed, which way it leans, and its cell for a row. */
export interface Column<Row> {
  readonly heading: string;
  readonly align?: 'left' | 'right';
  cell(row: Row): string;
}

/**
 * Sets rows as a table; where the terminal is too narrow for it, turned on its side, a line for each column.
 * @param columns characters a line holds; `null` for as many as it takes
 */
export function renderTable<Row>(shown: readonly Column<Row>[], rows: readonly Row[], columns: number | null): string {
  const text = plainTable(
    shown.map(({ align }) => align ?? 'right'),
    [shown.map(({ heading }) => heading), ...rows.map((row) => shown.map((column) => column.cell(row)))],
  );
  if (columns === null || widest(text) <= columns) return text;
  return plainTable(
    ['left', ...rows.map((): 'right' => 'right')],
    shown.map((column) => [column.heading.replace('\n', ' ').trim(), ...rows.map((row) => column.cell(row))]),
  );
}

function widest(text: string): number {
  const visible = text.replace(/\u001b\[[0-9;]*m/g, '').split('\n');
  return Math.max(...visible.map((line) => line.length));
}
