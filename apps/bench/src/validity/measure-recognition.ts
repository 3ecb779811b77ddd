import { readFileSync } from 'node:fs';
import { contentText, type Message } from '@palimpsest/core';
import type { NamedTranscript } from '@palimpsest/eval/measures';
import { extractive, handoffTemplate, parseSummary } from '@palimpsest/summary';

/** How well the extractive writer distinguishes user rules from other sentences. */
export interface Recognition {
  /** Results on hand-labelled sentences. The `blind` half was held out while the recognizer was written. */
  readonly labelled: { readonly seen: RuleCounts; readonly blind: RuleCounts };
  /** Requests in real transcripts. */
  readonly requests: number;
  /** Requests with at least one sentence listed as a rule. */
  readonly withRules: number;
  /** Sentences listed as rules. */
  readonly listed: number;
  /** Sentences listed as only mentioned by the user. */
  readonly mentioned: number;
}

/** Counts of labelled sentences, and how many of them are listed as rules. */
export interface RuleCounts {
  readonly rules: number;
  readonly rulesListed: number;
  readonly others: number;
  readonly othersListed: number;
}

const labels = new URL('../../../../test/spoken-rules/', import.meta.url);
const section = handoffTemplate.sections.findIndex(({ heading }) => heading === 'Constraints & Preferences');
const writer = extractive();

/** Summarizes single requests with the extractive writer and counts the sentences it lists as rules. */
export async function measureRecognition(transcripts: readonly NamedTranscript[]): Promise<Recognition> {
  const [rules, others] = [readLabelled('rules'), readLabelled('others')];
  const countHalf = async (half: number): Promise<RuleCounts> => {
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
  return { labelled: { seen: await countHalf(0), blind: await countHalf(1) }, requests, withRules, listed, mentioned };
}

/** Reads labelled sentences, one per line after a two-letter language code. `at` is the sentence's index within its language. */
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

/** Counts the sentences of a message that are listed as rules; `null` if the writer finds no request in it. */
async function rulesOf(request: string): Promise<{ readonly listed: number; readonly mentioned: number } | null> {
  const messages: Message[] = [
    { role: 'user', content: request },
    { role: 'assistant', content: 'On it, one moment. '.repeat(20) },
  ];
  const { text } = await writer.summarize({
    prompt: '',
    // Large enough for everything: this measures recognition, not selection under a budget.
    budgetTokens: 100_000 + 20 * request.length,
    material: { messages, previousSummary: null, template: handoffTemplate, focusTopic: null },
  });
  const { sections } = parseSummary(text, handoffTemplate);
  if (/^(?:None\.)?$/.test(sections[0]!.trim())) return null;
  const items = sections[section]!.split('\n').filter((line) => line.startsWith('- '));
  const mentioned = items.filter((line) => line.startsWith('- Mentioned by the user: ')).length;
  return { listed: items.length - mentioned, mentioned };
}
