import { plainTable } from '@palimpsest/command-line/plain-table';
import { printable } from '@palimpsest/command-line/printable';
import { widthOf } from '@palimpsest/command-line/text-width';

/** A table column: heading, alignment, and the cell for a row. */
export interface Column<Row> {
  readonly heading: string;
  readonly align?: 'left' | 'right';
  cell(row: Row): string;
}

/** A last column with text is cut to this width before a table is transposed. */
const minTextWidth = 12;

/**
 * Formats rows as a table. If the terminal is too narrow, text in the last column is cut, or the table is transposed: one
 * line per column.
 * @param columns the terminal width in characters; `null` for no limit
 */
export function renderTable<Row>(shown: readonly Column<Row>[], rows: readonly Row[], columns: number | null): string {
  const text = plainTable(
    shown.map(({ align }) => align ?? 'right'),
    [shown.map(({ heading }) => heading), ...rows.map((row) => shown.map((column) => column.cell(row)))],
  );
  if (columns === null || widthOf(text) <= columns) return text;
  const last = shown.at(-1)!;
  const width =
    widthOf(
      plainTable(
        ['left'],
        rows.map((row) => [last.cell(row)]),
      ),
    ) +
    columns -
    widthOf(text);
  if (last.align === 'left' && width >= minTextWidth) {
    const cell = (row: Row): string => printable(last.cell(row), width);
    return renderTable([...shown.slice(0, -1), { ...last, cell }], rows, null);
  }
  return plainTable(
    ['left', ...rows.map((): 'right' => 'right')],
    shown.map((column) => [column.heading.replace('\n', ' ').trim(), ...rows.map((row) => column.cell(row))]),
  );
}
