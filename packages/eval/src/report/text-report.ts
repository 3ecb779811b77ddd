import { plainTable, wrapText } from '@palimpsest/command-line/plain-table';
import { widthOf } from '@palimpsest/command-line/text-width';
import type { CompactorResult, Evaluation } from '../evaluate/evaluation.ts';
import { formatShare } from './format-value.ts';
import { evaluationNotes, evaluationRows } from './text-table.ts';

/** Width of the report where there is no terminal. */
const defaultWidth = 100;

/**
 * An evaluation as text: a table for each budget, what they are of, and the result in a sentence.
 * @param own names of the compactors that are not baselines
 * @param columns the terminal's width; `null` without a terminal
 */
export function textReport(evaluation: Evaluation, own: readonly string[], columns: number | null): string {
  const width = columns ?? defaultWidth;
  const budgets = [...new Set(evaluation.results.map(({ budget }) => budget))];
  const tables = budgets.map((budget) => fitTable(evaluationRows(evaluation, budget), width));
  const notes = [...evaluationNotes(evaluation), ...conclusions(evaluation, own)];
  return `${[...tables, wrapText(notes.join('\n'), width)].join('\n\n')}\n`;
}

/** A table. If it is too wide, headings and intervals take several lines; if it still is, it becomes several tables. */
function fitTable(rows: readonly (readonly string[])[], width: number): string {
  const table = (cells: readonly (readonly string[])[]): string =>
    plainTable(['left', ...cells[0]!.slice(1).map(() => 'right' as const)], cells);
  const plain = table(rows);
  if (widthOf(plain) <= width) return plain;
  const [head = [], ...body] = rows;
  const [title = '', ...names] = head;
  const stacked = body.map(([name = '', ...values]) => [name, ...values.map((value) => value.replace(' (', '\n('))]);
  const narrow = table([[title, ...names.map((name) => name.replaceAll(' ', '\n'))], ...stacked]);
  if (widthOf(narrow) <= width || names.length < 2) return narrow;
  const half = 1 + Math.ceil(names.length / 2);
  const first = rows.map((row) => row.slice(0, half));
  const second = rows.map((row) => [row[0]!, ...row.slice(half)]);
  return [first, second].map((part) => fitTable(part, width)).join('\n\n');
}

/** The share of the facts that each compactor keeps at the smallest budget, next to the best baseline. */
function conclusions({ results }: Evaluation, own: readonly string[]): string[] {
  const budget = Math.min(...results.map((result) => result.budget));
  const scored = results.filter((result) => result.budget === budget && result.scores.facts !== null);
  const best = scored.filter(({ compactor }) => !own.includes(compactor)).sort((a, b) => facts(b) - facts(a))[0];
  return scored
    .filter(({ compactor }) => own.includes(compactor))
    .map((result) => {
      const compared = best ? `; the best baseline, ${best.compactor}, ${percent(best)}` : '';
      return `At ${formatShare(budget)} of the tokens, ${result.compactor} keeps ${percent(result)} of the facts that were needed later${compared}.`;
    });
}

function facts({ scores }: CompactorResult): number {
  return scores.facts?.value ?? 0;
}

function percent(result: CompactorResult): string {
  return `${(facts(result) * 100).toFixed(0)} %`;
}
