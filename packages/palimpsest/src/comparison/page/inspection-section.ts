import type { Sample } from '@palimpsest/eval/inputs/sample';
import { shareableText } from '@palimpsest/eval/page/shareable-text';
import type { HandoffLine, InspectedHandoff, InspectedMessage } from '@palimpsest/session';
import type { ReplayedSession } from '../replay/replay-session.ts';
import { outcomeWords } from '../strip-blocks.ts';

/** The HTML section of one transcript: the handoff with its sources, and the outcome of every message. */
export function inspectionSection(
  sample: Sample,
  { inspection, compactions }: ReplayedSession,
  number: number,
): string {
  const { messages, handoffs, engine } = inspection;
  const section = `i${number}`;
  const times = compactions === 1 ? 'once' : `${compactions} times`;
  const summary = compactions === 0 ? 'sent whole: the window was never full' : `compacted ${times} by ${engine}`;
  return [
    `<section><h2>${shareableText(sample.found.id)}</h2>`,
    `<p>${shareableText(`${messages.length} messages, ${summary}. Handoffs are written by rules.`)}</p>`,
    ...handoffs.map((handoff) => handoffBlock(handoff, section)),
    '<h3>Messages</h3>',
    ...messages.map((message) => messageEntry(message, section)),
    '</section>\n',
  ].join('\n');
}

function handoffBlock({ replaces, lines }: InspectedHandoff, section: string): string {
  const rows = lines.map((line) => `${shareableText(line.text)}${sources(line, section)}`);
  return `<h3>Handoff in place of messages ${replaces.from + 1} to ${replaces.to}</h3>\n<pre>${rows.join('\n')}</pre>`;
}

/** Links to the messages that a line comes from. */
function sources({ from }: HandoffLine, section: string): string {
  if (from === null) return '';
  const links = from.map((at) => `<a href="#${section}-${at}">${at + 1}</a>`);
  return ` <span class="soft">\u2190 ${links.join(', ')}</span>`;
}

function messageEntry(
  { index, role, outcome, reasons, before, after, lines }: InspectedMessage,
  section: string,
): string {
  const notes = reasons.map(({ note, code }) => note ?? code);
  const words = shareableText([outcomeWords[outcome], ...notes].join(', '));
  const seen =
    after === null || after === before ? '' : `<h4>as the model sees it</h4><pre>${shareableText(after)}</pre>`;
  const inHandoff =
    lines.length === 0
      ? ''
      : `<h4>in the handoff</h4><pre>${lines.map(({ text }) => shareableText(text)).join('\n')}</pre>`;
  return `<details><summary>${index + 1} ${shareableText(role)} <span class="soft">${words}</span></summary><pre id="${section}-${index}">${shareableText(before)}</pre>${seen}${inHandoff}</details>`;
}
