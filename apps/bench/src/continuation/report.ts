import type { Half } from '@palimpsest/eval/measures';
import type { ToldPoint } from './measure-told.ts';
import { method } from './method-text.ts';
import type { RepetitionRow } from './repeated.ts';
import {
  halfTable,
  kindDefinitions,
  kindTable,
  repetitionNotes,
  repetitionTable,
  writerTable,
  wrongNames,
} from './tables.ts';
import { ownEngines, type Size } from './ways.ts';
import type { WriterRow } from './writers.ts';

/** What was measured. */
export interface ReportedRun {
  readonly source: string;
  /** Where the transcripts were cut, as shares of their tokens. */
  readonly shares: readonly number[];
  /** The half that robustness was measured on. */
  readonly half: Half;
  readonly cuts: number;
  readonly sizes: readonly Size[];
  /** Why peers are not measured, by name. */
  readonly missing: ReadonlyMap<string, string>;
}

/** Formats the continuation section. */
export function continuationReport(
  points: readonly ToldPoint[],
  writers: readonly WriterRow[],
  repetitions: readonly RepetitionRow[],
  { source, shares, half, cuts, sizes, missing }: ReportedRun,
): string {
  const ways = Object.keys(ownEngines);
  const sessions = new Set(points.map(({ cut }) => cut.name)).size;
  const where = shares.map((share) => (share * 100).toFixed(0)).join(', ');
  return [
    method,
    '',
    `${cuts} cuts of ${sessions} of ${source}, made after ${where} % of the tokens; no model is used unless a table says so. "Defaults": the engine compresses at its own threshold, without a target. Other methods have no default without a budget; they get as many tokens as the compressor uses. An output over its budget loses its oldest messages before it is measured; "tokens used" is its size before that.`,
    '',
    halfTable(points, 'held-out'),
    '',
    halfTable(points, 'development'),
    '',
    wrongNames(points, ways, sizes),
    '',
    `Per kind of session, both halves. ${kindDefinitions()}`,
    '',
    ...ways.flatMap((way) => sizes.slice(0, 2).flatMap((size) => [kindTable(points, way, size), ''])),
    `With a summarizer that plays a wrong model (${half} half, the last cut of each transcript):`,
    '',
    writerTable(writers),
    '',
    `Compactions in a row, in a session whose history grows in equal steps, beside one compaction of the whole history (${half} half, the last cut of each transcript):`,
    '',
    repetitionTable(repetitions),
    '',
    repetitionNotes(repetitions),
    ...[...missing].map(([way, reason]) => `- ${way}: not measured: ${reason}.`),
  ].join('\n');
}
