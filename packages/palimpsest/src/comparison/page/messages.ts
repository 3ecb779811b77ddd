import { count } from '@palimpsest/command-line/count';
import type { Applied, Edit, Message } from '@palimpsest/core';
import { redactText } from '@palimpsest/eval/inputs/redact-input';
import type { Sample } from '@palimpsest/eval/inputs/sample';
import { escapeHtml } from '@palimpsest/eval/page/escape';
import { shareableText } from '@palimpsest/eval/page/shareable-text';
import { filteredRoles } from '@palimpsest/eval/page/style';
import { type HandoffLine, readHandoffs } from '@palimpsest/session';
import { outcomeWords, roleLook } from '../../strips/strip-blocks.ts';
import { messageText } from './message-text.ts';

/** A prompt with the edits that made it. */
export interface EditedPrompt extends Applied<Message> {
  readonly edits: readonly Edit[];
}

/** The prompt that an engine leaves, with its handoffs. */
export interface EnginePrompt extends Applied<Message> {
  readonly engine: string;
  readonly handoffs: ReturnType<typeof readHandoffs>;
}

/** Reads the handoffs of a prompt. */
export function enginePrompt(engine: string, prompt: EditedPrompt): EnginePrompt {
  return { ...prompt, engine, handoffs: readHandoffs(prompt) };
}

/** The handoffs of a prompt, each line with links to the messages it comes from. @param section the section with the messages */
export function handoffEntries({ engine, handoffs }: EnginePrompt, section: string): string {
  const entries = handoffs.map(({ covers, lines }) => {
    const rows = lines.map((line) => `${shareableText(line.text)}${sources(line, section)}`);
    return `<details><summary>handoff of ${shareableText(engine)} <span class="soft">in place of messages ${covers.from + 1} to ${covers.to}</span></summary><pre>${rows.join('\n')}</pre></details>\n`;
  });
  return entries.join('');
}

function sources({ from }: HandoffLine, section: string): string {
  if (from === null) return '';
  const links = from.map((at) => `<a href="#${section}-${at}">${at + 1}</a>`);
  return ` <span class="soft">\u2190 ${links.join(', ')}</span>`;
}

/**
 * All messages: each with its text, and its outcome under each engine. Those in a row with the same outcomes are folded into
 * one entry, and a reader can choose those of one role.
 */
export function messageEntries(sample: Sample, prompts: readonly EnginePrompt[], section: string): string {
  const outcomesOf = prompts.map((prompt) => outcomes(sample, prompt));
  const rows = sample.messages.map((message, index) => {
    const found = outcomesOf.map((outcomeAt) => outcomeAt(index));
    const words = found.map(({ word }) => word).join(' · ');
    const title = summaryOf(`${index + 1} ${message.role}`, sample.tokens.countMessage(message), words);
    const entry = `<details class="of-${roleLook(message)}">${title}<pre id="${section}-${index}">${shareableMessage(message)}</pre>${found.map(({ text }) => text).join('')}</details>`;
    return { entry, words, tokens: sample.tokens.countMessage(message) };
  });
  const entries: string[] = [];
  for (let from = 0; from < rows.length; ) {
    const { words } = rows[from]!;
    let to = from + 1;
    while (rows[to]?.words === words) to++;
    const run = rows.slice(from, to);
    const tokens = run.reduce((sum, row) => sum + row.tokens, 0);
    const text = run.map(({ entry }) => entry).join('\n');
    const title = summaryOf(`${from + 1} to ${to}`, tokens, words);
    entries.push(run.length < minFolded ? text : `<details>${title}\n${text}\n</details>`);
    from = to;
  }
  return `<div class="messages">${roleFilter(section)}\n${entries.join('\n')}</div>`;
}

/** Minimum number of messages in a row that are folded. */
const minFolded = 3;

function summaryOf(name: string, tokens: number, words: string): string {
  const size = `${count(tokens)} tokens · ${words}`;
  return `<summary>${shareableText(name)} <span class="soft">${shareableText(size)}</span></summary>`;
}

/** Buttons that show the messages of one role. The style sheet does the work. */
function roleFilter(section: string): string {
  const choices = [['all', 'all messages'], ...filteredRoles].map(
    ([look, words], at) =>
      `<label><input type="radio" name="${section}" class="show-${look}"${at === 0 ? ' checked' : ''}> ${words}</label>`,
  );
  return `<fieldset class="legend"><legend class="soft">Show</legend>${choices.join('')}</fieldset>`;
}

/** Returns a function that describes the outcome of a message: in a few words, and what is left of it. */
function outcomes(
  { tokens }: Sample,
  { engine, handoffs, messages, provenance }: EnginePrompt,
): (index: number) => { readonly word: string; readonly text: string } {
  const linesOf = new Map<number, HandoffLine[]>();
  for (const line of handoffs.flatMap(({ lines }) => lines))
    for (const at of line.from ?? []) {
      const known = linesOf.get(at);
      if (known) known.push(line);
      else linesOf.set(at, [line]);
    }
  return (index) => {
    const outcome = provenance.source[index]!;
    const word = `${engine}: ${outcomeWords[outcome.kind]}`;
    const lines = (linesOf.get(index) ?? []).map(({ text }) => shareableText(text));
    const inHandoff =
      lines.length === 0 ? '' : `<h4>in the handoff of ${shareableText(engine)}</h4><pre>${lines.join('\n')}</pre>`;
    if (outcome.kind !== 'rewritten') return { word, text: inHandoff };
    const after = messages[outcome.at] as Message;
    const notes = outcome.reasons.map(({ note, code }) => note ?? code);
    const heading = shareableText([word, ...notes, `${count(tokens.countMessage(after))} tokens`].join(', '));
    return { word, text: `<h4>${heading}</h4><pre>${shareableMessage(after)}</pre>${inHandoff}` };
  };
}

/** A message as HTML. Masked before a long text is cut, because part of a secret is not recognized. */
function shareableMessage(message: Message): string {
  return escapeHtml(messageText(message, redactText));
}
