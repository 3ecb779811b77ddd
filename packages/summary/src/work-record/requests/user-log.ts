import { contentText, type Message } from '@palimpsest/core';
import { rememberingText } from '../text/remembering.ts';
import { isQuestion, sentencesOf } from '../text/sentences.ts';
import { type ClosingTone, closingTone } from '../work/closing-tone.ts';
import { gistOf } from './gist.ts';
import { openRequests, opensWithThanks, requestIntent } from './open-requests.ts';
import type { UserTurn } from './turns.ts';
import type { UserWords } from './user-words.ts';

/** The result of a message of the user. */
type MessageResult = 'done' | 'answered' | 'withdrawn' | 'open';

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
  /** `null` if the messages do not show it. */
  readonly result: MessageResult | null;
}

const rememberedGist = /* @__PURE__ */ rememberingText(gistOf);
const rememberedTone = /* @__PURE__ */ rememberingText(closingTone);

/** Maximum length of a message that begins with thanks and requests nothing else, in characters. */
const longestThanks = 30;

/** Returns every message of the user, in order, with its result. Linear time. */
export function userLog(
  said: readonly UserWords[],
  messages: readonly Message[],
  turns: readonly UserTurn[],
): LoggedMessage[] {
  const open = new Set(openRequests(said).map(({ index }) => index));
  const turnOf = new Map<number, UserTurn>();
  for (const turn of turns) for (const index of turn.asked) turnOf.set(index, turn);
  const log: LoggedMessage[] = [];
  for (let at = said.length - 1; at >= 0; at--) {
    const words = said[at]!;
    const gist = rememberedGist(words.text, messages[words.index]);
    const turn = turnOf.get(words.index);
    const closing = turn && turn.end >= 0 ? messages[turn.end]! : null;
    const next = log.at(-1) ?? null;
    const isOpen = open.has(words.index);
    const tone = closing && rememberedTone(contentText(closing.content), closing);
    const result = resultOf({ text: words.text, gist, tone, worked: turn?.worked ?? false, next, isOpen });
    log.push({ ...words, number: at + 1, gist, result });
  }
  return log.reverse();
}

/** Index of the message with which the user went on after the last request that was done; -1 if no request was. */
export function completedTo(log: readonly LoggedMessage[]): number {
  const last = log.findLastIndex(({ result }, at) => result === 'done' && at + 1 < log.length);
  return last < 0 ? -1 : log[last + 1]!.index;
}

/** The facts that decide the result of a user's message. */
interface Request {
  readonly text: string;
  readonly gist: string;
  /** The tone of the agent's last text in the turn; `null` if the turn was interrupted. */
  readonly tone: ClosingTone | null;
  /** True if the agent called tools. */
  readonly worked: boolean;
  readonly next: LoggedMessage | null;
  readonly isOpen: boolean;
}

function resultOf({ text, gist, tone, worked, next, isOpen }: Request): MessageResult | null {
  const intent = requestIntent(text);
  if (intent === 'thanks' || intent === 'withdrawal') return null;
  if (text.length <= longestThanks && opensWithThanks(text) && !isQuestion(text)) return null;
  const reaction = next && requestIntent(next.text);
  if (reaction === 'withdrawal') return 'withdrawn';
  const asks = sentencesOf(gist).some(isQuestion);
  // The user's words count more than the agent's.
  if (next && opensWithThanks(next.text)) return asks && !worked ? 'answered' : 'done';
  const pending = isOpen ? 'open' : null;
  // "Go on" continues an interrupted turn.
  if (tone === null) return reaction === 'agreement' ? next!.result : pending;
  if (tone === 'done' && worked) return 'done';
  if (tone === 'failed' || tone === 'asks') return pending;
  return asks || !worked ? 'answered' : null;
}
