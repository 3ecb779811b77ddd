import { oneLine } from '@palimpsest/salience';
import { type RequestIntent, requestIntent } from './open-requests.ts';
import type { UserWords } from './user-words.ts';

/** What came of a message of the user. */
export type MessageResult = 'done' | 'answered' | 'withdrawn' | 'open';

/** One message of the user in the log. */
export interface LoggedMessage extends UserWords {
  /** Counts the messages of the user from 1. */
  readonly number: number;
  /** The first sentences, verbatim on one line, cut at a sentence end. About 80 to 240 characters. */
  readonly gist: string;
  /** `null` if the messages do not show it. */
  readonly result: MessageResult | null;
}

/** Shortest gist of a longer message. Characters. */
const shortest = 80;
const longest = 240;

/** Every message of the user, in order, with what came of it. */
export function userLog(said: readonly UserWords[]): LoggedMessage[] {
  return said.map((words, at) => ({
    ...words,
    number: at + 1,
    gist: gistOf(words.text),
    result: resultOf(said.slice(at + 1, at + 2).map(({ text }) => requestIntent(text))),
  }));
}

function resultOf([next]: readonly RequestIntent[]): MessageResult | null {
  return next === 'withdrawal' ? 'withdrawn' : next === 'thanks' ? 'done' : null;
}

function gistOf(text: string): string {
  const line = oneLine(text);
  if (line.length <= longest) return line;
  const end = line.slice(shortest, longest).search(/[.!?\u3002\uff01\uff1f](?:\s|$)|[\u3002\uff01\uff1f]/);
  return line.slice(0, end < 0 ? longest : shortest + end + 1);
}
