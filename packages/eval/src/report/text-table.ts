import { formatCount } from '@palimpsest/command-line/count';
import type { Evaluation } from '../evaluate/evaluation.ts';
import { evaluationMeasures, type MeasureName, measures } from '../evaluate/measure-list.ts';
import { formatEstimate, formatShare } from './format-value.ts';

/** Measures that belong to the one above them. */
const parts: ReadonlySet<MeasureName> = new Set([...measures.continuation.parts, 'once']);

/** Rows of a table for a terminal: a row for each measure, a column for each compactor at one budget. The first row is the heading. */
export function evaluationRows({ results }: Evaluation, budget: number): string[][] {
  const shown = results.filter((result) => result.budget === budget);
  const rows = evaluationMeasures
    .filter((name) => shown.some(({ scores }) => scores[name] !== null))
    .map((name) => [
      `${parts.has(name) ? '  ' : ''}${measures[name].title}${measures[name].unit === 'share' ? ', %' : ''}`,
      ...shown.map(({ scores }) => formatEstimate(name, scores[name])),
    ]);
  return [[`at ${formatShare(budget)}`, ...shown.map(({ compactor }) => compactor)], ...rows];
}

/** What the table is of, in sentences. */
export function evaluationNotes(evaluation: Evaluation): string[] {
  const { transcripts, skipped, cuts, chainSteps, window, dollarsUncompacted } = evaluation;
  const count = transcripts.reduce((sum, transcript) => sum + transcript.cuts, 0);
  return [
    `${formatCount(transcripts.length, 'transcript')}, ${formatCount(count, 'cut')} after ${cuts.map(formatShare).join(', ')} of the tokens. In brackets: 95 % intervals by the bootstrap over transcripts.`,
    ...(skipped.length > 0 ? [`Skipped: ${skipped.map(({ name, reason }) => `${name} (${reason})`).join(', ')}.`] : []),
    ...(chainSteps > 0 ? [`Chain: facts after ${chainSteps} compactions in a row.`] : []),
    ...(window !== null && dollarsUncompacted !== null
      ? [
          `Dollars: a whole conversation in a window of ${window.toLocaleString('en-US')} tokens; $${dollarsUncompacted.toFixed(2)} without compaction.`,
        ]
      : []),
  ];
}
