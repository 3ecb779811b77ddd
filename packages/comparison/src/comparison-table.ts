import { count, counted } from '@palimpsest/command-line/count';
import { printable } from '@palimpsest/command-line/printable';
import type { Colours } from '@palimpsest/command-line/terminal';
import { type Column, renderTable } from './columns.ts';
import type { ComparedSample } from './comparison.ts';
import type { Share } from './kept.ts';
import { remarksOn } from './remarks.ts';
import type { EngineRow } from './run-engine.ts';
import { tokenAmount } from './token-amount.ts';

/** Formats the comparison of one sample as text for a terminal or log: heading, table, and remarks. */
export function comparisonText(compared: ComparedSample, colours: Colours, columns: number | null): string {
  const { id, engines } = compared;
  const heading = `${colours.bold(printable(id, 60))}  ${comparisonHeading(compared)}`;
  const remarks = engines.flatMap((row) => remarksOn(row).map((remark) => `${row.engine}: ${printable(remark, 500)}`));
  const shown = comparisonColumns.map(
    (column): Column<EngineRow> => ({
      ...column,
      cell: (row) => verdict(colours, column.judge?.(row), column.cell(row)),
    }),
  );
  return [heading, renderTable(shown, engines, columns), ...remarks.map((line) => colours.dim(line)), '', ''].join(
    '\n',
  );
}

/** A sample's size and the chosen window, in words. */
export function comparisonHeading({ tokens, messages, window }: ComparedSample): string {
  return `${count(tokens)} tokens in ${counted(messages, 'message')}, window ${tokenAmount(window.tokens)} ${windowNotes[window.by]}`;
}

const windowNotes: Readonly<Record<ComparedSample['window']['by'], string>> = {
  given: '(as given)',
  outgrown: '(the largest common window it exceeds)',
  smallest: '(it exceeds no common window)',
};

/** A column that can rate its value as good (`true`), bad (`false`) or neutral (`null`). */
interface JudgedColumn extends Column<EngineRow> {
  readonly judge?: (row: EngineRow) => boolean | null;
}

/** The columns of the comparison, used for text and HTML. */
export const comparisonColumns: readonly JudgedColumn[] = [
  {
    heading: '\nengine',
    align: 'left',
    cell: (row) => row.engine,
    judge: (row) => (row.outcome === 'failed' ? false : null),
  },
  {
    heading: '\nthreshold',
    cell: (row) => (row.reachedThreshold ? count(row.thresholdTokens) : `${count(row.thresholdTokens)} (not reached)`),
  },
  {
    heading: 'tokens\nbefore -> after',
    cell: (row) =>
      `${count(row.tokensBefore)} -> ${count(row.tokensAfter)}${row.fitsWindow ? '' : ' (over the window)'}`,
    judge: (row) => (row.fitsWindow ? null : false),
  },
  { heading: '\nsaved', cell: (row) => `${row.savedPercent.toFixed(1)}%` },
  { heading: '\nmessages', cell: (row) => `${row.messagesBefore} -> ${row.messagesAfter}` },
  { heading: 'phase that\nwas enough', cell: (row) => row.phaseThatWasEnough ?? row.outcome },
  { heading: 'model\ncalls', cell: (row) => String(row.modelCalls) },
  { heading: 'summarizer\ncalls', cell: (row) => String(row.summarizerCalls) },
  { heading: 'user messages\nkept', cell: (row) => share(row.kept.userMessages) },
  { heading: 'anchors\nkept', cell: (row) => share(row.kept.anchors) },
  {
    heading: 'last request\nkept',
    cell: (row) => requestWords(row.lastRequestKept),
    judge: (row) => row.lastRequestKept,
  },
  { heading: 'wire\nviolations', cell: (row) => String(row.wireViolations), judge: (row) => row.wireViolations === 0 },
  { heading: '\nms', cell: (row) => (row.milliseconds < 10 ? row.milliseconds.toFixed(1) : count(row.milliseconds)) },
];

function verdict(colours: Colours, good: boolean | null | undefined, text: string): string {
  if (good === null || good === undefined) return text;
  return good ? colours.green(text) : colours.red(text);
}

function requestWords(kept: boolean | null): string {
  if (kept === null) return 'none';
  return kept ? 'yes' : 'NO';
}

function share({ kept, of }: Share): string {
  return of === 0 ? 'none' : `${kept} of ${of}`;
}
