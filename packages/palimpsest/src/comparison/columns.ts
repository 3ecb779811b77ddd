import { plainTable } from '@palimpsest/command-line/plain-table';
import { widthOf } from '@palimpsest/command-line/text-width';

/** A table column: heading, alignment, and the cell for a row. */
export interface Column<Row> {
  readonly heading: string;
  readonly align?: 'left' | 'right';
  cell(row: Row): string;
}

/**
 * Formats rows as a table. If the terminal is too narrow, the table is transposed: one line per column.
 * @param columns the terminal width in characters; `null` for no limit
 */
export function renderTable<Row>(shown: readonly Column<Row>[], rows: readonly Row[], columns: number | null): string {
  const text = plainTable(
    shown.map(({ align }) => align ?? 'right'),
    [shown.map(({ heading }) => heading), ...rows.map((row) => shown.map((column) => column.cell(row)))],
  );
  if (columns === null || widthOf(text) <= columns) return text;
  return plainTable(
    ['left', ...rows.map((): 'right' => 'right')],
    shown.map((column) => [column.heading.replace('\n', ' ').trim(), ...rows.map((row) => column.cell(row))]),
  );
}
