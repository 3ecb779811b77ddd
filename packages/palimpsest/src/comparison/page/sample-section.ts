import { formatCount } from '@palimpsest/command-line/count';
import type { Sample } from '@palimpsest/eval/inputs/sample';
import { shareableText } from '@palimpsest/eval/page/shareable-text';
import { isBroken } from '../../measuring/run-engine.ts';
import { outcomeLegend, roleLegend } from '../../strips/legend.ts';
import { outcomeStrip, outputStrip, sourceStrip } from '../../strips/strip.ts';
import {
  type ComparisonColumn,
  comparisonColumns,
  comparisonHeading,
  costNote,
  headingOf,
} from '../comparison-columns.ts';
import { remarksOn } from '../remarks.ts';
import type { ComparedEngine, ComparedSample, Comparison } from '../to-comparison.ts';
import type { Choice } from '../verdict/choose-engine.ts';
import { plainText, type VerdictPart } from '../verdict/words.ts';
import { type EnginePrompt, enginePrompt, handoffEntries, messageEntries } from './messages.ts';

/** The HTML section of one sample: figures, strips, and every message with its outcome per engine. */
export function sampleSection(
  sample: Sample,
  { compared, prompts: left, verdict }: Comparison,
  number: number,
): string {
  const section = sectionId(number);
  const rows = compared.engines;
  const prompts = rows.flatMap(({ engine }, at): EnginePrompt[] => (left[at] ? [enginePrompt(engine, left[at])] : []));
  const heading = comparisonHeading(compared);
  const shown = comparisonColumns.filter(
    ({ terminal, isNotable }) => terminal !== 'notable' || rows.some((row) => isNotable?.(row)),
  );
  const remarks = rows.flatMap((row) =>
    remarksOn(row).map((remark) => `<p>${shareableText(`${row.engine}: ${remark}`)}</p>`),
  );
  return [
    `<section id="${section}"><h2>${shareableText(compared.id)}</h2>\n<p>${shareableText(`${compared.file.split(/[\\/]/).at(-1)}: ${heading}`)}</p>`,
    verdictParagraphs(verdict),
    figures(rows, shown),
    compared.recorded ? `<p>${costNote(compared)}</p>` : '',
    ...remarks,
    '<h3>Before</h3>',
    roleLegend,
    sourceStrip(sample, section),
    outcomeLegend,
    ...prompts.map(
      (prompt) =>
        `<h3>${shareableText(prompt.engine)}</h3>\n${outcomeStrip(sample, prompt, prompt.engine, section)}${outputStrip(sample, prompt, prompt.engine)}${handoffEntries(prompt, section)}`,
    ),
    '<h3>Messages</h3>',
    messageEntries(sample, prompts, section),
    '</section>\n',
  ].join('\n');
}

const sectionId = (number: number): string => `s${number}`;

/** Where {@link sessionIndex} is on the page. */
export const indexLink = '<p><a href="#sessions">All sessions, each with its verdict</a></p>\n';

/** The end of a page about several sessions: a list of them, and the verdict on all together, if there is one. */
export function sessionIndex(samples: readonly ComparedSample[], all: Choice | null): string {
  const entries = samples.map(
    ({ id, verdict }, at) =>
      `<li><a href="#${sectionId(at + 1)}">${shareableText(id)}</a>: ${shareableText(verdict.text)}</li>\n`,
  );
  const together = all ? `<p>${shareableText(`All together: ${all.sentences.map(plainText).join(' ')}`)}</p>\n` : '';
  return `<nav id="sessions"><h2>${formatCount(samples.length, 'session')}</h2>\n${together}<ul>\n${entries.join('')}</ul></nav>\n`;
}

function verdictParagraphs({ sentences }: Comparison['verdict']): string {
  const [headline = '', ...reasons] = sentences.map((words) => words.map(verdictPart).join(''));
  return `<div class="verdict"><p>${headline}</p><p>${reasons.join(' ')}</p></div>`;
}

function verdictPart({ kind, text }: VerdictPart): string {
  const shown = shareableText(text);
  if (kind === 'text' || kind === 'term') return shown;
  return kind === 'name' ? `<code>${shown}</code>` : `<strong class="${kind}">${shown}</strong>`;
}

function figures(rows: readonly ComparedEngine[], columns: readonly ComparisonColumn[]): string {
  const head = columns.map((column) => `<th scope="col">${shareableText(headingOf(column))}</th>`).join('');
  const body = rows.map(
    (row) =>
      `<tr${isBroken(row) ? ' class="bad"' : ''}>${columns.map((column) => `<td>${shareableText(column.cell(row))}</td>`).join('')}</tr>`,
  );
  return `<div class="wide" tabindex="0" role="region" aria-label="Figures"><table><thead><tr>${head}</tr></thead><tbody>${body.join('')}</tbody></table></div>`;
}
