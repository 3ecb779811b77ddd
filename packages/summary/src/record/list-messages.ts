import { oneLine, startOf } from '@palimpsest/pruner/salience';
import { estimateTokens } from '@palimpsest/tokens';
import { lastNumber, type NumberedItem } from '../template/numbered-list.ts';
import type { LoggedMessage } from '../work-record/requests/user-log.ts';
import type { Conclusion } from '../work-record/work/conclusions.ts';
import { ListEntry, type ShortenableList } from './fit-list.ts';
import { leftOutNote, splitLeftOut } from './left-out.ts';
import { expendableMessages } from './repeated-messages.ts';

/** Replaces an empty list, to show that no messages were lost. */
const onlyCurrent = 'Every message of the user is kept in full outside of this summary.';

/** The result behind a message in an earlier list. */
const resultMark: RegExp = / \((?:done|answered|withdrawn|open)\)$/;

/** Maximum length of a message that is listed in full. Tokens. */
const longestInFull = 500;
const leftOut = leftOutNote('earlier message', 'earlier messages');

/** Length of the shortest form of a message. Characters. */
export const shortMessage = 84;
/** Length of the shortest form of an answer. Characters. */
const shortAnswer = 130;

/**
 * Lists the user's messages, numbered from the start of the session, each with the agent's answer at the end of its
 * turn. With little room, repetitions, thanks and "go on" are left out first, then the oldest.
 */
export function messageList(
  log: readonly LoggedMessage[],
  conclusions: readonly Conclusion[],
  earlier: readonly NumberedItem[],
  isFolded: (index: number) => boolean,
): ShortenableList {
  const answers = answersByMessage(log, conclusions, isFolded);
  const counted = earlier.filter(({ number }) => number > 0);
  const first = log.find(({ index }) => isFolded(index));
  // This list continues the numbering of the earlier summary's list.
  const offset = first ? Math.max(0, lastNumber(counted) + 1 - first.number) : 0;
  const folded = log.filter(({ index, carried }) => !carried && isFolded(index));
  const expendable = expendableMessages([
    ...counted.map(({ text }) => text.split('\n')[0]!.replace(resultMark, '')),
    ...folded.map(({ text }) => oneLine(text)),
  ]);
  const omitted = (at: number): ListEntry['omitted'] => (expendable[at] ? 'first' : 'in order');
  const entries = folded.map((message, at): ListEntry => {
    const { index, number } = message;
    const answer = answers.get(number);
    const from = [[index], ...(answer ? [[answer.index]] : [])];
    const forms = (): readonly string[] => messageForms(message, answer?.text);
    return new ListEntry(`${number + offset}.`, forms, from, omitted(counted.length + at));
  });
  if (entries.length === 0 && counted.length === 0 && log.length > 0)
    return { entries: [new ListEntry('-', () => [onlyCurrent])], keep: 'last', leftOutBefore: 0, leftOut: () => [] };
  const before = counted.map(
    ({ number, text }, at) => new ListEntry(`${number}.`, () => [text, shortened(text)], [], omitted(at)),
  );
  return {
    entries: [...before, ...entries],
    keep: 'last',
    leftOutBefore: splitLeftOut(earlier, leftOut, ({ text }) => text).count,
    leftOut: (count) => [leftOut.line(count)],
  };
}

interface Answer {
  /** Index of the message. */
  readonly index: number;
  readonly text: string;
}

/** The agent's last text to the user in each turn, by number of the user's message. */
function answersByMessage(
  log: readonly LoggedMessage[],
  conclusions: readonly Conclusion[],
  isFolded: (index: number) => boolean,
): ReadonlyMap<number, Answer> {
  const answers = new Map<number, Answer>();
  let at = 0;
  for (const { index, text, endsTurn } of conclusions) {
    if (!endsTurn) continue;
    while (at < log.length && log[at]!.index < index) at++;
    if (at > 0 && isFolded(index)) answers.set(log[at - 1]!.number, { index, text: oneLine(text) });
  }
  return answers;
}

function messageForms({ text, gist, result }: LoggedMessage, answer: string | undefined): string[] {
  const whole = oneLine(text);
  const state = result === null ? '' : ` (${result})`;
  const short = cutAt(gist, shortMessage);
  const inFull = estimateTokens(whole) <= longestInFull ? [whole] : [];
  const told = (message: string, reply: string): string => `${message}${state}\n  Agent: ${reply}`;
  const asked = [...inFull, gist, short].map((message) => `${message}${state}`);
  if (answer === undefined) return different(asked);
  const brief = cutAt(answer, shortAnswer);
  return different([
    ...inFull.map((message) => told(message, answer)),
    told(gist, answer),
    told(gist, brief),
    told(short, brief),
    asked.at(-1)!,
  ]);
}

/** The shortest form of an item in an earlier list: without the answer. */
function shortened(item: string): string {
  return cutAt(item.split('\n')[0]!, shortMessage);
}

/** Cuts a text, with a mark at the cut. */
export function cutAt(text: string, length: number): string {
  return text.length <= length ? text : `${startOf(text, length).trimEnd()} \u2026`;
}

/** Removes repeated forms. Each form shortens the one before it, so equal forms are neighbours. */
function different(forms: readonly string[]): string[] {
  return forms.filter((form, at) => form !== forms[at - 1]);
}
