import { count } from '@palimpsest/command-line/count';
import { plainTable, wrapText } from '@palimpsest/command-line/plain-table';
import { printable } from '@palimpsest/command-line/printable';
import type { Colours } from '@palimpsest/command-line/terminal';
import { widthOf } from '@palimpsest/command-line/text-width';
import { redactText } from '@palimpsest/eval/inputs/redact-input';
import { type Column, renderTable } from '../../printing/columns.ts';
import {
  type ComparisonColumn,
  comparisonColumns,
  comparisonHeading,
  costNote,
  formatSaving,
} from '../comparison-columns.ts';
import { remarksOn } from '../remarks.ts';
import type { ComparedEngine, Comparison } from '../to-comparison.ts';
import type { Words } from '../verdict/words.ts';
import { barLegend, outcomeBar } from './outcome-bar.ts';

/** How a screen is drawn. */
export interface ScreenOptions {
  readonly colours: Colours;
  /** The width of the terminal in characters; `null` if the output is not a terminal. */
  readonly columns: number | null;
  /** The command to run next. */
  readonly next: string;
}

const minWidth = 40;
/** The width if the output is not a terminal. */
const defaultWidth = 80;
/** Wider lines of text are hard to read. */
const maxTextWidth = 120;
/** From this width on, more figures are shown. */
const wide = 120;

/** The width of lines of text. */
export function screenWidth({ columns }: Pick<ScreenOptions, 'columns'>): number {
  return Math.min(maxTextWidth, Math.max(minWidth, columns ?? defaultWidth));
}

/** Formats the comparison of one sample: a bar for each engine, the figures, the verdict, and what to do next. */
export function comparisonScreen({ compared, verdict }: Comparison, options: ScreenOptions): string {
  const { colours, next } = options;
  const width = Math.max(minWidth, options.columns ?? defaultWidth);
  const { id, engines } = compared;
  const name = colours.bold(printable(id, 60));
  const sizes = comparisonHeading(compared);
  const isOneLine = widthOf(`${name}  ${sizes}`) <= width;
  const remarks = engines.flatMap((row) => remarksOn(row).map((remark) => `${row.engine}: ${printable(remark, 500)}`));
  const text = (line: string): string => wrapText(line, screenWidth(options));
  const blocks = [
    isOneLine ? [`${name}  ${sizes}`] : [text(name), text(sizes)],
    bars(engines, width, colours),
    [
      writeFigures(engines, width, colours),
      ...(engines.some(({ replay }) => replay) ? [colours.dim(text(costNote(compared)))] : []),
    ],
    [text(verdict.sentences.map((words) => applyStyle(words, colours)).join(' '))],
    remarks.map((remark) => colours.dim(text(remark))),
    [`${colours.dim('next:')} ${next}`],
  ];
  return `${blocks
    .filter((block) => block.length > 0)
    .map((block) => block.join('\n'))
    .join('\n\n')}\n\n\n`;
}

function bars(engines: readonly ComparedEngine[], width: number, colours: Colours): readonly string[] {
  const formatLeft = (row: ComparedEngine): string => `${count(row.tokensAfter)} left`;
  const names = engines.map(({ engine }) => printable(engine, 24));
  const labels = Math.max(...names.map(widthOf));
  const figures = Math.max(...engines.map((row) => formatLeft(row).length + formatSaving(row).length + 3));
  const drawn = Math.max(10, width - labels - figures - 4);
  const largest = Math.max(...engines.map(({ outcomeTokens }) => total(outcomeTokens)));
  const least = Math.min(...engines.map(({ tokensAfter }) => tokensAfter));
  const lines = plainTable(
    ['left', 'left', 'right', 'right'],
    engines.map((row, at) => {
      const cells = Math.round((total(row.outcomeTokens) / largest) * drawn);
      const isBest = engines.length > 1 && row.tokensAfter === least;
      return [
        names[at]!,
        outcomeBar(row.outcomeTokens, cells, colours),
        isBest ? colours.bold(formatLeft(row)) : formatLeft(row),
        row.savedPercent > 0 ? `-${formatSaving(row)}` : formatSaving(row),
      ];
    }),
  );
  return [
    lines,
    `${' '.repeat(labels + 2)}${barLegend(
      engines.map(({ outcomeTokens }) => outcomeTokens),
      colours,
    )}`,
  ];
}

function total(tokens: ComparedEngine['outcomeTokens']): number {
  return Object.values(tokens).reduce((sum, value) => sum + value, 0);
}

function writeFigures(engines: readonly ComparedEngine[], width: number, colours: Colours): string {
  const shown = comparisonColumns.filter(({ terminal, isNotable }) => {
    if (terminal === 'notable') return engines.some((row) => isNotable?.(row));
    return terminal === 'always' || (terminal === 'wide' && width >= wide);
  });
  const columns = shown.map((column): Column<ComparedEngine> => {
    const best = bestRank(column, engines);
    return {
      ...column,
      cell: (row) => {
        const cell = printable(column.cell(row), 24);
        if (column.isBad?.(row)) return colours.red(cell);
        return best !== null && column.rank?.(row) === best ? colours.bold(cell) : cell;
      },
    };
  });
  return renderTable(columns, engines, width);
}

/** The best rank in a column; `null` if all are equal. */
function bestRank({ rank }: ComparisonColumn, engines: readonly ComparedEngine[]): number | null {
  if (!rank) return null;
  const ranks = engines.filter(({ outcome }) => outcome !== 'failed').map((row) => rank(row));
  const best = Math.max(...ranks);
  return ranks.some((one) => one < best) ? best : null;
}

/** Formats a sentence of a verdict. Exact names in it are masked. */
export function applyStyle(words: Words, colours: Colours): string {
  return words
    .map(({ kind, text }) => {
      // The blanks around a part belong to the sentence. Screens are pasted into issues, and a lost URL can hold a key.
      const safe = text.replace(/\S(?:.*\S)?/su, (inner) => printable(redactText(inner), 600));
      if (kind === 'winner') return colours.bold(colours.green(safe));
      return kind === 'bad' ? colours.red(safe) : safe;
    })
    .join('');
}
