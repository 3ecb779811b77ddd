import { gistOf } from './gist.ts';
import type { UserWords } from './user-words.ts';

/** One message of the user in the log. */
export interface LoggedMessage extends UserWords {
  /** Number of the message among the user's messages, from 1. */
  readonly number: number;
  /** A short message, or both ends of a longer one, verbatim on one line. */
  readonly gist: string;
}

/** Returns every message of the user, in order. */
export function userLog(said: readonly UserWords[]): LoggedMessage[] {
  return said.map((words, at) => ({ ...words, number: at + 1, gist: gistOf(words.text) }));
}
