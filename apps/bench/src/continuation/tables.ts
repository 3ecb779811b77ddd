import type { Half } from '@palimpsest/eval/measures';
import { markdownTable } from '../markdown-table.ts';
import { type Measures, meanOf, measureNames, sharesOf, type ToldPoint } from './measure-told.ts';
import { type RepetitionRow, stepCount, stepTarget } from './repeated.ts';
import { sessionKinds } from './session-kind.ts';
import type { Size } from './ways.ts';
import type { WriterRow } from './writers.ts';

const titles: Readonly<Record<keyof Measures, string>> = {
  files: 'files changed',
  userLog: 'user log',
  verdicts: 'last verdicts',
  conclusions: 'conclusions',
  todos: 'open todos',
  commands: 'recent commands',
  facts: 'facts',
  verbatim: 'verbatim',
};
const percent = (value: number): string => (Number.isNaN(value) ? 'n/a' : (value * 100).toFixed(0));
const sizeName = (size: Size): string => (size === null ? 'defaults' : `${size * 100} %`);
const cells = (shares: Measures): string[] => measureNames.map((name) => percent(shares[name]));
const heading = (first: string, ...more: string[]): string[] => [
  first,
  ...more,
  ...measureNames.map((name) => titles[name]),
];
const unique = <T>(values: readonly T[]): T[] => [...new Set(values)];

/** Formats the main table of one half: every method at every size. */
export function halfTable(points: readonly ToldPoint[], half: Half): string {
  const own = points.filter(({ cut }) => cut.half === half);
  const rows = unique(own.map(({ size }) => size)).flatMap((size) =>
    unique(own.filter((point) => point.size === size).map(({ way }) => way)).map((way) => {
      const some = own.filter((point) => point.way === way && point.size === size);
      return [`${way}, ${sizeName(size)}`, percent(meanOf(some.map(({ used }) => used))), ...cells(sharesOf(some))];
    }),
  );
  return markdownTable(heading(`${half} half, %`, 'tokens used'), rows);
}

/** Reports how often handoffs name a file as changed that was only read. A handoff that calls every file changed would name them all. */
export function wrongNames(points: readonly ToldPoint[], ways: readonly string[], sizes: readonly Size[]): string {
  const shares = ways.flatMap((way) =>
    sizes.map((size) => {
      const own = points.filter((point) => point.way === way && point.size === size);
      const wrong = own.reduce((sum, { measured }) => sum + measured.wronglyChanged, 0);
      const read = own.reduce((sum, { cut }) => sum + cut.probes.onlyRead.length, 0);
      return `${way}, ${sizeName(size)}: ${wrong} of ${read}`;
    }),
  );
  return `Files that were only read and that a handoff names as changed, both halves: ${shares.join('; ')}.`;
}

/** Formats one row per kind of session, over both halves. */
export function kindTable(points: readonly ToldPoint[], way: string, size: Size): string {
  const own = points.filter((point) => point.way === way && point.size === size);
  const rows = Object.keys(sessionKinds).flatMap((kind) => {
    const some = own.filter(({ cut }) => cut.kind === kind);
    const sessions = new Set(some.map(({ cut }) => cut.name)).size;
    return some.length === 0 ? [] : [[kind, String(sessions), String(some.length), ...cells(sharesOf(some))]];
  });
  return markdownTable(heading(`${way}, ${sizeName(size)}, %`, 'sessions', 'cuts'), rows);
}

/** Formats what is told although the model that wrote the summary is wrong. */
export const writerTable = (rows: readonly WriterRow[]): string =>
  markdownTable(
    ['model that writes the summary, %', 'cuts', 'files changed', 'user log', 'invented files named as changed'],
    rows.map(({ engine, writer, size, cuts, files, userLog, invented }) => [
      `${engine}, ${sizeName(size)}, ${writer}`,
      String(cuts),
      percent(files),
      percent(userLog),
      percent(invented),
    ]),
  );

/** Formats several compactions in a row beside a single one. */
export const repetitionTable = (rows: readonly RepetitionRow[]): string =>
  markdownTable(
    heading('%', 'cuts'),
    rows.flatMap(({ engine, cuts, repeated, once }) => [
      [
        `${engine}, ${stepCount} compactions, each to ${stepTarget * 100} % of the tokens so far`,
        String(cuts),
        ...cells(repeated),
      ],
      [`${engine}, one compaction to the same tokens`, String(cuts), ...cells(once)],
    ]),
  );

/** Formats the form of the last of several handoffs. */
export const repetitionNotes = (rows: readonly RepetitionRow[]): string =>
  rows
    .map(
      ({ engine, repeatedLines, lines, renumbered }) =>
        `- ${engine}: ${repeatedLines.toFixed(1)} of ${lines.toFixed(0)} lines of the last handoff repeat another one; ${renumbered.toFixed(1)} actions of a list got another number than before, over all steps.`,
    )
    .join('\n');

export const kindDefinitions = (): string =>
  `Kinds of sessions, the first that fits: ${Object.entries(sessionKinds)
    .map(([kind, definition]) => `*${kind}*: ${definition}`)
    .join('; ')}.`;
