import { contentText, type Message } from '@palimpsest/core';
import { isQuestion, sentencesOf } from '../text/sentences.ts';
import { closingTone } from '../work/closing-tone.ts';
import { gistOf } from './gist.ts';
import { openRequests, opensWithThanks, requestIntent } from './open-requests.ts';
import type { UserTurn } from './turns.ts';
import type { UserWords } from './user-words.ts';

/** What came of a message of the user. */
export type MessageResult = 'done' | 'answered' | 'withdrawn' | 'open';

/** One message of the user in the log. */
export interface LoggedMessage extends UserWords {
  /** Counts the messages of the user from 1. */
  readonly number: number;
  /**
   * What it asks for: the first sentences, verbatim on one line, at least 80 and about 240 characters of a longer message,
   * and the last paragraph of a long one. `[pasted: 312 lines]` names pasted text, `[...]` what was left out between.
   */
  readonly gist: string;
  /** `null` if the messages do not show it. */
  readonly result: MessageResult | null;
}

/** Every message of the user, in order, with what came of it. Linear. */
export function userLog(
  said: readonly UserWords[],
  messages: readonly Message[],
  turns: readonly UserTurn[],
): LoggedMessage[] {
  const open = new Set(openRequests(said).map(({ index }) => index));
  const turnOf = new Map(turns.flatMap((turn) => turn.asked.map((index) => [index, turn] as const)));
  return said.map((words, at) => {
    const gist = gistOf(words.text);
    const turn = turnOf.get(words.index);
    const closing = turn && turn.end >= 0 ? contentText(messages[turn.end]!.content) : null;
    const next = said[at + 1]?.text;
    return {
      ...words,
      number: at + 1,
      gist,
      result: resultOf(words.text, gist, closing, turn?.worked ?? false, next, open.has(words.index)),
    };
  });
}

function resultOf(
  text: string,
  gist: string,
  closing: string | null,
  worked: boolean,
  next: string | undefined,
  isOpen: boolean,
): MessageResult | null {
  const intent = requestIntent(text);
  if (intent === 'thanks' || intent === 'withdrawal') return null;
  if (next !== undefined && requestIntent(next) === 'withdrawal') return 'withdrawn';
  const asks = sentencesOf(gist).some(isQuestion);
  const pending = isOpen ? 'open' : null;
  // The user knows best.
  if (next !== undefined && opensWithThanks(next)) return asks && !worked ? 'answered' : 'done';
  if (closing === null) return pending;
  const tone = closingTone(closing);
  if (tone === 'failed') return pending;
  if (tone === 'done' && worked) return 'done';
  if (tone === 'asks') return pending;
  return asks || !worked ? 'answered' : null;
}
