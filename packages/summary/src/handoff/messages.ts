import { contentText, hasToolCalls } from '@palimpsest/core';
import { oneLine, splitsPair, startOf } from '@palimpsest/pruner/salience';
import { estimateTokens } from '@palimpsest/tokens';
import { sentenceEnds, withoutListMark } from '../work-record/text/sentences.ts';
import { slashCommand } from '../work-record/user-messages/gist.ts';
import { earlierItem, ellipsize, type Item, item } from './item.ts';
import type { MaterialRecord } from './material.ts';

/** Maximum length of a user's message that is written in full. Tokens. */
const maxTokensInFull = 1_500;
/** Length of the beginning and the end of a longer one. Characters. */
const [maxStartLength, maxEndLength] = [4_000, 800] as const;
/** Maximum length of a text of the agent that is written in full: to the user, and between calls. Tokens. */
const maxAnswerTokens = 1_500;
const maxRemarkTokens = 300;
/** A shorter text between calls only announces the next call, which is listed. Characters. */
const minRemarkLength = 100;
/** Length of the shortest form of a message, and of the shorter forms of an answer. Characters. */
const shortMessage = 84;
const answerLengths = [500, 200] as const;

/** The messages of the user, numbered from the start of the session, and their answers to tools that asked them. */
export function messageItems({ work, isSummarized }: MaterialRecord, earlier: readonly string[]): Item[] {
  const summarized = work.log.filter(({ index, carried }) => !carried && isSummarized(index));
  const known = new Set(summarized.map(({ text }) => keyOf(text)));
  const before = earlier.filter((text) => !known.has(keyOf(withoutListMark(text))));
  const isRepeated = repetitions([...before.map(withoutListMark), ...summarized.map(({ text }) => text)]);
  const last = before.reduce((most, text) => Math.max(most, Number(/^(\d{1,6})\. /.exec(text)?.[1] ?? 0)), 0);
  const first = summarized[0]?.number ?? 1;
  const said = summarized.map(({ index, number, text, gist }, at): Item => {
    const whole =
      slashCommand(text) !== null ? [] : estimateTokens(text) <= maxTokensInFull ? [text] : [bothEnds(text)];
    const mark = `${last > 0 ? last + 1 + number - first : number}.`;
    const entry = item(mark, [...whole, gist, ellipsize(gist, shortMessage)], [index]);
    // The first message usually sets the task.
    return { ...entry, rank: isRepeated[before.length + at] ? -1 : number === 1 ? 1 : 0 };
  });
  const answers = work.answers
    .filter(({ index }) => isSummarized(index))
    .map(({ index, text, question, isRefusal }) => {
      const asked = question === null ? '' : isRefusal ? ` (refused: ${question})` : ` (asked: ${question})`;
      const label = isRefusal ? 'Said by the user' : 'Answered by the user';
      return item('-', [`${label}: ${text}${asked}`, `${label}: ${text}`], [index]);
    });
  return [...before.map((text, at) => ({ ...earlierItem(text), rank: isRepeated[at] ? -1 : 0 })), ...said, ...answers];
}

/**
 * Returns for each message whether at least two more are equal to it, ignoring numbers, case and punctuation. A message
 * that occurs once or twice may be a fact.
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

/** The agent's messages to the user without a tool call. */
export function answerItems(material: MaterialRecord): Item[] {
  return textsOfAgent(material, false).map(({ text, index }) => item('- Agent:', answerForms(text), [index]));
}

/** The agent's findings and reasons: its texts along with calls. The longest are the most informative. */
export function remarkItems(material: MaterialRecord): Item[] {
  return textsOfAgent(material, true).flatMap(({ text, index }) => {
    const remark = withoutAnnouncement(text);
    if (remark.length < minRemarkLength) return [];
    return [{ ...item('- Agent:', remarkForms(remark), [index]), rank: remark.length }];
  });
}

function textsOfAgent(
  { messages, isSummarized }: MaterialRecord,
  besideCalls: boolean,
): { readonly text: string; readonly index: number }[] {
  return messages.flatMap((message, index) => {
    if (message.role !== 'assistant' || !isSummarized(index) || hasToolCalls(message) !== besideCalls) return [];
    const text = contentText(message.content).trim();
    return /\p{L}/u.test(text) ? [{ text, index }] : [];
  });
}

/** Removes a last sentence that ends with a colon: it only announces the call behind it. */
function withoutAnnouncement(text: string): string {
  if (!/[:\uff1a]$/.test(text)) return text;
  const from = text.lastIndexOf('\n') + 1;
  return text.slice(0, from + (sentenceEnds(text.slice(from)).at(-2) ?? 0)).trimEnd();
}

/** The beginning and the end of a long message: what it asks for may be at either. */
function bothEnds(text: string): string {
  const from = text.length - maxEndLength;
  const end = text.slice(splitsPair(text, from) ? from + 1 : from);
  return `${startOf(text, maxStartLength).trimEnd()}\n[...]\n${end.trimStart()}`;
}

const answerForms = (text: string): string[] => [
  ...(estimateTokens(text) <= maxAnswerTokens ? [text] : []),
  startOf(text, 1_200),
  ...answerLengths.map((length) => ellipsize(oneLine(text), length)),
];

const remarkForms = (text: string): string[] =>
  estimateTokens(text) <= maxRemarkTokens ? [text] : [startOf(text, 800)];

/** Prepares a text for comparison: lower case, single spaces, no quotation or list marks. */
function normalize(text: string): string {
  return text
    .toLowerCase()
    .replace(/[`*_>"'\u2018\u2019\u201c\u201d\u00ab\u00bb]/g, '')
    .replace(/\s+/g, ' ')
    .trim();
}
