import { readFileSync } from 'node:fs';
import { contentText, type Message } from '@palimpsest/core';
import { extractive, handoffTemplate, parseSummary } from '@palimpsest/summary';
import type { NamedTranscript } from '../transcripts.ts';

/** How well rules of users are told from what else they say. */
export interface Recognition {
  /** Sentences that somebody labelled; one half was not looked at while the recogniser was written. */
  readonly labelled: { readonly seen: Told; readonly blind: Told };
  /** Requests in real transcripts, those of which anything is listed as a rule, and how many sentences that are. */
  readonly requests: number;
  readonly withRules: number;
  readonly listed: number;
  /** Sentences that are listed as mentioned only. */
  readonly mentioned: number;
}

/** Of labelled sentences, those that are listed as rules. */
export interface Told {
  readonly rules: number;
  readonly rulesListed: number;
  readonly others: number;
  readonly othersListed: number;
}

const labels = new URL('../../../../test/spoken-rules/', import.meta.url);
const section = handoffTemplate.sections.findIndex(({ heading }) => heading === 'Constraints & Preferences');
const writer = extractive();

/** Has the extractive writer summarize single requests, and reads what it lists as rules. */
export async function measureRecognition(transcripts: readonly NamedTranscript[]): Promise<Recognition> {
  const [rules, others] = [readLabelled('rules'), readLabelled('others')];
  const told = async (half: number): Promise<Told> => {
    const [some, rest] = [rules, others].map((all) => all.filter(({ at }) => at % 2 === half));
    return {
      rules: some!.length,
      rulesListed: await countListed(some!),
      others: rest!.length,
      othersListed: await countListed(rest!),
    };
  };
  let [requests, withRules, listed, mentioned] = [0, 0, 0, 0];
  for (const { messages } of transcripts)
    for (const message of messages.filter(({ role }) => role === 'user')) {
      const found = await rulesOf(contentText(message.content));
      if (found === null) continue;
      requests++;
      if (found.listed > 0) withRules++;
      listed += found.listed;
      mentioned += found.mentioned;
    }
  return { labelled: { seen: await told(0), blind: await told(1) }, requests, withRules, listed, mentioned };
}

/** Labelled sentences, one a line behind the letters of its language; `at` counts those of a language. */
function readLabelled(name: string): { readonly text: string; readonly at: number }[] {
  const counts = new Map<string, number>();
  return readFileSync(new URL(`${name}.txt`, labels), 'utf8')
    .split('\n')
    .filter(Boolean)
    .map((line) => {
      const language = line.slice(0, 2);
      const at = counts.get(language) ?? 0;
      counts.set(language, at + 1);
      return { text: line.slice(3).replaceAll('\\n', '\n'), at };
    });
}

async function countListed(sentences: readonly { readonly text: string }[]): Promise<number> {
  let count = 0;
  for (const { text } of sentences) if (((await rulesOf(text))?.listed ?? 0) > 0) count++;
  return count;
}

/** What is listed of a request, `null` where the writer sees none in it. */
async function rulesOf(request: string): Promise<{ readonly listed: number; readonly mentioned: number } | null> {
  const messages: Message[] = [
    { role: 'user', content: request },
    { role: 'assistant', content: 'On it, one moment. '.repeat(20) },
  ];
  const { text } = await writer.summarize({
    prompt: '',
    // Room for all of it: what counts is what is taken for a rule.
    budgetTokens: 100_000 + 20 * request.length,
    material: { messages, previousSummary: null, template: handoffTemplate, focusTopic: null },
  });
  const { sections } = parseSummary(text, handoffTemplate);
  if (/^(?:None\.)?$/.test(sections[0]!.trim())) return null;
  const items = sections[section]!.split('\n').filter((line) => line.startsWith('- '));
  const mentioned = items.filter((line) => line.startsWith('- Mentioned by the user: ')).length;
  return { listed: items.length - mentioned, mentioned };
}
