import type { Message } from '@palimpsest/core';
import { rememberingText } from '../text/remembering.ts';
import { gistOf } from './gist.ts';
import type { UserWords } from './user-words.ts';

/** One message of the user in the log. */
export interface LoggedMessage extends UserWords {
  /** Number of the message among the user's messages, from 1. */
  readonly number: number;
  /**
   * What the message asks for: its first sentences, verbatim on one line (80 to about 240 characters of a longer
   * message), and the last paragraph of a long message. `[pasted: 312 lines]` stands for pasted text, `[...]` for
   * omitted text.
   */
  readonly gist: string;
}

const rememberedGist = /* @__PURE__ */ rememberingText(gistOf);

/** Returns every message of the user, in order. Linear time. */
export function userLog(said: readonly UserWords[], messages: readonly Message[]): LoggedMessage[] {
  return said.map((words, at) => ({
    ...words,
    number: at + 1,
    gist: rememberedGist(words.text, messages[words.index]),
  }));
}
