import { contentText, hasToolCalls } from '@palimpsest/core';
import { oneLine, startOf } from '@palimpsest/pruner/salience';
import { estimateTokens } from '@palimpsest/tokens';
import { slashCommand } from '../work-record/requests/gist.ts';
import { withoutListMark } from '../work-record/text/sentences.ts';
import { earlierItem, ellipsized, type Item, item } from './item.ts';
import type { MaterialRecord } from './material.ts';
import { normalize } from './normalize.ts';

/** Maximum length of a user's message that is written in full. Tokens. */
const longestInFull = 500;
/** Maximum length of a text of the agent that is written in full: to the user, and between calls. Tokens. */
const longestAnswer = 1_500;
const longestRemark = 300;
/** A shorter text between calls only announces the next call, which is listed. Characters. */
const shortestRemark = 60;
/** Length of the shortest forms of a message and of an answer. Characters. */
const [shortMessage, shortAnswer] = [84, 200] as const;

/** The messages of the user, numbered from the start of the session, and their answers to tools that asked them. */
export function messageItems({ work, isFolded }: MaterialRecord, earlier: readonly string[]): Item[] {
  const folded = work.log.filter(({ index, carried }) => !carried && isFolded(index));
  const known = new Set(folded.map(({ text }) => keyOf(text)));
  const before = earlier.filter((text) => !known.has(keyOf(withoutListMark(text))));
  const isRepeated = repetitions([...before.map(withoutListMark), ...folded.map(({ text }) => text)]);
  const last = before.reduce((most, text) => Math.max(most, Number(/^(\d{1,6})\. /.exec(text)?.[1] ?? 0)), 0);
  const first = folded[0]?.number ?? 1;
  const said = folded.map(({ index, number, text, gist }, at): Item => {
    const whole = estimateTokens(text) <= longestInFull && slashCommand(text) === null ? [text] : [];
    const mark = `${last > 0 ? last + 1 + number - first : number}.`;
    const entry = item(mark, [...whole, gist, ellipsized(gist, shortMessage)], [index]);
    return { ...entry, isRepeated: isRepeated[before.length + at] };
  });
  const answers = work.answers
    .filter(({ index }) => isFolded(index))
    .map(({ index, text, question, isRefusal }) => {
      const asked = question === null ? '' : isRefusal ? ` (refused: ${question})` : ` (asked: ${question})`;
      const label = isRefusal ? 'Said by the user' : 'Answered by the user';
      return item('-', [`${label}: ${text}${asked}`, `${label}: ${text}`], [index]);
    });
  return [...before.map((text, at) => ({ ...earlierItem(text), isRepeated: isRepeated[at] })), ...said, ...answers];
}

/**
 * Tells for each message whether it comes at least twice more, ignoring numbers, case and punctuation. A message that comes
 * once or twice may be a fact.
 */
function repetitions(texts: readonly string[]): boolean[] {
  const later = new Map<string, number>();
  return texts
    .map((_, at) => {
      const text = texts.at(-1 - at)!;
      const words = text
        .toLowerCase()
        .replace(/[^\p{L}\p{M}]+/gu, ' ')
        .trim();
      const count = later.get(words) ?? 0;
      later.set(words, count + 1);
      return words !== '' && count >= 2;
    })
    .reverse();
}

/** Identifies a message by its beginning. */
function keyOf(text: string): string {
  return normalize(text.slice(0, 200)).slice(0, 80);
}

function wordItems({ messages, isFolded }: MaterialRecord, isRemark: boolean): Item[] {
  return messages.flatMap((message, index) => {
    if (message.role !== 'assistant' || !isFolded(index) || hasToolCalls(message) !== isRemark) return [];
    const text = contentText(message.content).trim();
    if (!/\p{L}/u.test(text) || (isRemark && text.length < shortestRemark)) return [];
    return [item('- Agent:', isRemark ? remarkForms(text) : answerForms(text), [index])];
  });
}

/** What the agent told the user, without calling a tool. */
export function answerItems(material: MaterialRecord): Item[] {
  return wordItems(material, false);
}

/** What the agent said beside its calls. */
export function remarkItems(material: MaterialRecord): Item[] {
  return wordItems(material, true);
}

const answerForms = (text: string): string[] => [
  ...(estimateTokens(text) <= longestAnswer ? [text] : []),
  startOf(text, 1_200),
  ellipsized(oneLine(text), shortAnswer),
];

const remarkForms = (text: string): string[] => (estimateTokens(text) <= longestRemark ? [text] : [startOf(text, 800)]);
