import type { EvaluatedTranscript, Evaluation, TranscriptLosses } from '../evaluate/evaluation.ts';
import { type LossKind, lossKinds } from '../evaluate/losses.ts';
import { evaluationMeasures, measures } from '../evaluate/measure-list.ts';
import { pageFoot, pageHead } from '../page/page.ts';
import { shareableText } from '../page/shareable-text.ts';
import { formatShare } from './format-value.ts';
import { evaluationNotes, evaluationRows } from './text-table.ts';

/**
 * Formats an evaluation as one HTML page without scripts or external resources: the scores, what each measure means, and
 * for each transcript what was lost, by name. Text from transcripts is masked and escaped.
 */
export function evaluationPage(evaluation: Evaluation): string {
  const budgets = [...new Set(evaluation.results.map(({ budget }) => budget))];
  const shown = evaluationMeasures.filter((name) => evaluation.results.some(({ scores }) => scores[name] !== null));
  return [
    pageHead('Compaction scored', evaluationNotes(evaluation).join(' ')),
    '<section><h2>Scores</h2>',
    ...budgets.map((budget) => scoreTable(evaluation, budget)),
    '<h3>What the measures are</h3>',
    `<ul>${shown.map((name) => `<li>${shareableText(`${measures[name].title}: ${measures[name].meaning}`)}</li>`).join('\n')}</ul>`,
    '</section>',
    '<section><h2>What was lost</h2>',
    '<p>At the last cut of each transcript. Names are shortened; the first ones of each kind are listed.</p></section>',
    ...evaluation.transcripts.map(transcriptSection),
    pageFoot,
  ].join('\n');
}

function scoreTable(evaluation: Evaluation, budget: number): string {
  const [head = [], ...rows] = evaluationRows(evaluation, budget);
  const headings = head.map((cell) => `<th scope="col">${shareableText(cell)}</th>`).join('');
  const body = rows.map(
    ([name = '', ...cells]) =>
      `<tr><th scope="row">${shareableText(name)}</th>${cells.map((cell) => `<td>${shareableText(cell)}</td>`).join('')}</tr>`,
  );
  return `<div class="wide" tabindex="0" role="region" aria-label="Scores at ${formatShare(budget)}"><table><thead><tr>${headings}</tr></thead><tbody>${body.join('\n')}</tbody></table></div>`;
}

function transcriptSection({ name, messages, tokens, cuts, losses }: EvaluatedTranscript): string {
  const size = `${messages} messages, ${tokens.toLocaleString('en-US')} tokens, ${cuts} ${cuts === 1 ? 'cut' : 'cuts'}`;
  return [
    `<section><h2>${shareableText(name)}</h2><p>${size}</p>`,
    ...(losses.length > 0 ? losses.map(lossEntry) : ['<p>Every budget was too small for the current task.</p>']),
    '</section>',
  ].join('\n');
}

function lossEntry({ compactor, budget, lost }: TranscriptLosses): string {
  const kinds = (Object.keys(lossKinds) as LossKind[]).filter((kind) => lost[kind].count > 0);
  const summary =
    kinds.map((kind) => `${lost[kind].count} ${lossKinds[kind]}`).join(', ') || 'nothing that is measured';
  const lists = kinds.map((kind) => {
    const { count, names } = lost[kind];
    const more = count > names.length ? `<li>and ${count - names.length} more</li>` : '';
    return `<h3>${shareableText(`${lossKinds[kind]} (${count})`)}</h3><ul>${names.map((one) => `<li>${shareableText(one)}</li>`).join('\n')}${more}</ul>`;
  });
  const title = shareableText(`${compactor} at ${formatShare(budget)}`);
  return `<details><summary>${title} <span class="soft">lost ${shareableText(summary)}</span></summary>${lists.join('\n')}</details>`;
}
