import type { Sample } from '@palimpsest/eval/inputs/sample';
import { shareableText } from '@palimpsest/eval/page/shareable-text';
import type { PromptAt } from '../replay/prompt-at.ts';
import { enginePrompt, handoffEntries, messageEntries } from './messages.ts';

/** The HTML section of one transcript: the handoff with its sources, and the outcome of every message. */
export function inspectionSection(sample: Sample, engine: string, prompt: PromptAt, number: number): string {
  const section = `i${number}`;
  const { compactions } = prompt;
  const times = compactions === 1 ? 'once' : `${compactions} times`;
  const summary = compactions === 0 ? 'sent whole: the window was never full' : `compacted ${times} by ${engine}`;
  const read = enginePrompt(engine, prompt);
  return [
    `<section><h2>${shareableText(sample.found.id)}</h2>`,
    `<p>${shareableText(`${sample.messages.length} messages, ${summary}. Handoffs are written by rules.`)}</p>`,
    handoffEntries(read, section),
    '<h3>Messages</h3>',
    messageEntries(sample, [read], section),
    '</section>\n',
  ].join('\n');
}
