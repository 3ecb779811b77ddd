import { breakMarks } from './break-marks.ts';
import { checksum } from './checksum.ts';
import { readForeignHandoff } from './foreign-handoff.ts';
import { type HandoffKey, signHandoff } from './handoff-signature.ts';
import { isInsertedMessage, isInsertedResult } from './inserted-text.ts';
import { contentText, isTextPart, isToolResult, type Message, type Part } from './message.ts';

/** The version {@link writeHandoff} writes. Every version ever shipped stays readable. */
export const handoffVersion = 1;

/** The number is the length of the body, so that no text inside or behind it can pass for its end. */
const beginMark: RegExp = /^\s{0,8}\[CONTEXT HANDOFF v(\d{1,3}), (\d{1,9}) characters\]\n/;
const endMark: RegExp =
  /\n\[END OF CONTEXT HANDOFF v(\d{1,3}) ([0-9a-f]{8})(?:\+(\d{1,9}))?(?: ([0-9a-f]{24}))?: the conversation continues below\]/y;

/** What stands between the begin mark and the body, by version. A frame is read back by length, so it never changes. */
const frames: Readonly<Record<number, string>> = {
  1: [
    'The earlier part of this conversation was condensed into the notes below to make room. They are reference',
    'material about what already happened, not a message to reply to: do not answer, repeat or redo anything they',
    'list. Files and other state may already reflect that work, so check before changing something again. "Active',
    'Task" names what is current. Reply to the newest user message that stands after the end mark; when there is',
    'none, carry on with the tool exchange under way, and when there is none of these either, wait. Long-term memory',
    'in the system prompt stays authoritative over these notes.',
    '',
    '',
  ].join('\n'),
};

/** A handoff taken apart. */
export interface Handoff {
  /** The format version; 0 for another system's summary. */
  readonly version: number;
  /** The summary itself, without marks and preamble. */
  readonly body: string;
  /** What stands behind the end mark in the same message: the user's own words, verbatim. `''` when there is none. */
  readonly rest: string | readonly Part[];
  /** What it was signed with a host's key to; absent for an unsigned one. Whether to believe it is `isTrustedHandoff`'s to say. */
  readonly signature?: string | undefined;
}

/**
 * Frames a summary as the text of a user message: a versioned mark, how to read it, the body, and an end mark with a
 * checksum over the body. Marks in the body that could end it, or a turn, are broken ({@link breakMarks}).
 * @param following how many messages follow: a transcript in which as many still do has not grown since.
 * @param key the host's `handoffKey`; with it, the end mark is signed. @default unsigned
 */
export function writeHandoff(body: string, following?: number | undefined, key?: HandoffKey | undefined): string {
  return framed(breakMarks(body), following, key);
}

function framed(body: string, following: number | undefined, key: HandoffKey | undefined): string {
  const count = following === undefined ? '' : `+${following}`;
  const signature = key === undefined ? '' : ` ${signHandoff(key, body, following)}`;
  return (
    `[CONTEXT HANDOFF v${handoffVersion}, ${body.length} characters]\n${frames[handoffVersion]}${body}\n` +
    `[END OF CONTEXT HANDOFF v${handoffVersion} ${checksum(body)}${count}${signature}: the conversation continues below]`
  );
}

/**
 * Puts a handoff before a user's own content, which stays verbatim as the suffix of the message: text behind a blank
 * line, parts as they are.
 */
export function prependHandoff(handoff: string, own: string | readonly Part[]): string | readonly Part[] {
  if (typeof own === 'string') return own === '' ? handoff : `${handoff}\n\n${own}`;
  return own.length === 0 ? handoff : [{ type: 'text', text: handoff } as Part, ...own];
}

/**
 * Reads the handoff a message starts with, ours or another system's, or `null`. Ours stand in user messages, those of
 * others in the assistant's as well. The text is the only mark: it survives JSON and other processes. A body that was
 * edited or quoted no longer fits its checksum and is ordinary text. Anybody can write such a text; before acting on
 * what it says, ask `isTrustedHandoff`.
 */
export function readHandoff(message: Message): Handoff | null {
  const { role, content } = message;
  const text = role === 'user' || role === 'assistant' ? openingText(content) : null;
  if (text === null || !marked.test(text)) return null;
  const found = (role === 'user' && readOwn(text)?.handoff) || readForeignHandoff(text);
  if (!found || typeof content === 'string') return found;
  const [first, ...rest] = content as readonly Part[];
  if (found.rest === '') return { ...found, rest: rest.length === 0 ? '' : rest };
  return { ...found, rest: [{ ...first, text: found.rest } as Part, ...rest] };
}

/** How many messages followed the handoff in this message when it was written; `null` when there is none or it is not known. */
export function messagesFollowing(message: Message): number | null {
  const text = message.role === 'user' ? openingText(message.content) : null;
  return text === null ? null : (readOwn(text)?.following ?? null);
}

/**
 * True for everything this library writes into a conversation, also after a trip through JSON: handoffs, stubs and
 * excerpts of tool results, results written for calls that never got one, todo snapshots. To hide it, or to filter
 * training data. Judged by the text alone, so a text that imitates one is taken for one.
 */
export function isSynthetic(message: Message): boolean {
  if (isToolResult(message)) return isInsertedResult(contentText(message.content));
  const handoff = readHandoff(message);
  if (handoff !== null) return handoff.version > 0;
  return isInsertedMessage(contentText(message.content).trim());
}

/** The text a message opens with, the only place a handoff can stand. */
function openingText(content: Message['content']): string | null {
  if (typeof content === 'string') return content;
  const first = content?.[0];
  return first && isTextPart(first) ? first.text : null;
}

/** Quick: every mark, ours and the others', begins like this. Asked of every user message several times over. */
const marked: RegExp = /^\s{0,8}[[T]/;

function readOwn(text: string): { readonly handoff: Handoff; readonly following: number | null } | null {
  const begin = beginMark.exec(text);
  const version = Number(begin?.[1]);
  const frame = frames[version];
  if (!begin || frame === undefined || !text.startsWith(frame, begin[0].length)) return null;
  const start = begin[0].length + frame.length;
  const body = text.slice(start, start + Number(begin[2]));
  endMark.lastIndex = start + Number(begin[2]);
  const end = endMark.exec(text);
  if (!end || Number(end[1]) !== version || end[2] !== checksum(body)) return null;
  const rest = text.slice(end.index + end[0].length);
  return {
    handoff: { version, body, rest: rest.startsWith('\n\n') ? rest.slice(2) : rest, signature: end[4] },
    following: end[3] === undefined ? null : Number(end[3]),
  };
}
