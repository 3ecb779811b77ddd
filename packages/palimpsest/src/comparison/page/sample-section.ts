import { count } from '@palimpsest/command-line/count';
import type { Applied, Message } from '@palimpsest/core';
import { redactText } from '@palimpsest/eval/inputs/redact-input';
import type { Sample } from '@palimpsest/eval/inputs/sample';
import { escapeHtml } from '@palimpsest/eval/page/escape';
import { shareableText } from '@palimpsest/eval/page/shareable-text';
import {
  type ComparisonColumn,
  comparisonColumns,
  comparisonHeading,
  costNote,
  headingOf,
} from '../comparison-columns.ts';
import { furtherRemarksOn } from '../remarks.ts';
import { isBroken } from '../run-engine.ts';
import { outcomeWords } from '../strip-blocks.ts';
import type { ComparedEngine, Comparison } from '../to-comparison.ts';
import type { VerdictPart, Words } from '../verdict/words.ts';
import { outcomeLegend, roleLegend } from './legend.ts';
import { messageText } from './message-text.ts';
import { outcomeStrip, outputStrip, sourceStrip } from './strip.ts';

/** The prompt that an engine leaves. */
interface EnginePrompt extends Applied<Message> {
  readonly engine: string;
}

/** The HTML section of one sample: figures, strips, and every message with its outcome per engine. */
export function sampleSection(sample: Sample, { compared, shown, verdict }: Comparison, number: number): string {
  const section = `s${number}`;
  const rows = shown.map(({ row }) => row);
  const prompts = shown.flatMap(({ row, prompt }) => (prompt ? [{ engine: row.engine, ...prompt }] : []));
  const heading = comparisonHeading(compared);
  const remarks = rows.flatMap((row) =>
    furtherRemarksOn(row).map((remark) => `<p>${shareableText(`${row.engine}: ${remark}`)}</p>`),
  );
  return [
    `<section><h2>${shareableText(compared.id)}</h2>\n<p>${shareableText(`${compared.file}: ${heading}`)}</p>`,
    verdictParagraphs(verdict),
    figures(rows, comparisonColumns),
    compared.recorded ? `<p>${costNote(compared.prices)}</p>` : '',
    ...remarks,
    '<h3>Before</h3>',
    roleLegend,
    sourceStrip(sample, section),
    outcomeLegend,
    ...prompts.map(
      (prompt) =>
        `<h3>${shareableText(prompt.engine)}</h3>\n${outcomeStrip(sample, prompt, prompt.engine, section)}${outputStrip(sample, prompt, prompt.engine)}${insertions(sample, prompt)}`,
    ),
    '<h3>Messages</h3>',
    ...sample.messages.map((message, index) => messageEntry(sample, prompts, message, index, section)),
    '</section>\n',
  ].join('\n');
}

function verdictParagraphs({ headline, reasons, details }: Comparison['verdict']): string {
  const paragraph = (sentences: readonly Words[]): string =>
    sentences.map((words) => words.map(verdictPart).join('')).join(' ');
  return `<div class="verdict"><p>${paragraph([headline])}</p><p>${paragraph(reasons)}</p><p>${paragraph(details)}</p></div>`;
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

/** The messages an engine wrote, in full. */
function insertions(sample: Sample, prompt: EnginePrompt): string {
  const entries = prompt.provenance.output.map((origin, at) => {
    if (origin.kind !== 'inserted') return '';
    const message = prompt.messages[at] as Message;
    const covers =
      origin.covers.to > origin.covers.from
        ? ` in place of messages ${origin.covers.from + 1} to ${origin.covers.to}`
        : '';
    return `<details><summary>written by ${shareableText(prompt.engine)}<span class="soft">${covers}, ${count(sample.tokens.countMessage(message))} tokens</span></summary><pre>${shareableMessage(message)}</pre></details>\n`;
  });
  return entries.join('');
}

function messageEntry(
  sample: Sample,
  prompts: readonly EnginePrompt[],
  message: Message,
  index: number,
  section: string,
): string {
  const outcomes = prompts.map((prompt) => {
    const outcome = prompt.provenance.source[index]!;
    const word = `${prompt.engine}: ${outcomeWords[outcome.kind]}`;
    const after = outcome.kind === 'rewritten' ? (prompt.messages[outcome.at] as Message) : null;
    const notes = outcome.kind === 'kept' ? [] : outcome.reasons.map((reason) => reason.note ?? reason.code);
    const text = after
      ? `<h4>${shareableText([word, ...notes].join(', '))}, ${count(sample.tokens.countMessage(after))} tokens</h4><pre>${shareableMessage(after)}</pre>`
      : '';
    return { word, text };
  });
  const words = shareableText(
    [`${count(sample.tokens.countMessage(message))} tokens`, ...outcomes.map((outcome) => outcome.word)].join(' · '),
  );
  return `<details><summary>${index + 1} ${shareableText(message.role)} <span class="soft">${words}</span></summary><pre id="${section}-${index}">${shareableMessage(message)}</pre>${outcomes.map((outcome) => outcome.text).join('')}</details>`;
}

/** A message as HTML. Masked before a long text is cut, because part of a secret is not recognized. */
function shareableMessage(message: Message): string {
  return escapeHtml(messageText(message, redactText));
}
