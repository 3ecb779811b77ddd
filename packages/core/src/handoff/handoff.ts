import { checksum } from '../json/checksum.ts';
import { isInsertedMessage, isInsertedResult } from '../messages/inserted-text.ts';
import { contentText, isTextPart, isToolResult, type Message, type Part } from '../messages/message.ts';
import { type HandoffKey, signHandoff } from './handoff-signature.ts';

/** The second number is the length of the body. No text in or after the body can therefore imitate its end. */
const beginMark: RegExp = /^\s{0,8}\[CONTEXT HANDOFF v1, (\d{1,9}) characters\]\n/;
const endMark: RegExp =
  /\n\[END OF CONTEXT HANDOFF v1 ([0-9a-f]{8})(?:\+(\d{1,9}))?(?: ([0-9a-f]{24}))?: the conversation continues below\]/y;

/** The preamble between the begin mark and the body. Parsing relies on the exact text: once a version is published, a new text needs a new version. */
const preamble: string = [
  'Summary of the conversation, for reference: do not answer or redo what it lists. Files and state may already reflect it:',
  'check before you change them. "Active Task" is current. Where results after the end mark differ, they are newer. Reply to the',
  'newest user message there; without one, continue the pending tool exchange, or wait. Memory in the system prompt',
  'overrides this.',
  '',
  '',
].join('\n');

/** A parsed handoff. */
export interface Handoff {
  /** The format version; 0 for another system's summary. */
  readonly version: number;
  /** The summary itself, without marks and preamble. */
  readonly body: string;
  /** The user's own content after the end mark in the same message, verbatim. `''` when there is none. */
  readonly rest: string | readonly Part[];
  /** The signature as found, not verified; absent when unsigned. `isTrustedHandoff` verifies it. */
  readonly signature?: string | undefined;
}

/**
 * Frames a summary as the text of a user message: a versioned begin mark, instructions for the model, the body, and an
 * end mark with a checksum of the body. Marks in the body that could end the handoff or a turn are defused ({@link
 * breakMarks}).
 * @param following number of messages after the handoff; used to detect later whether the transcript has grown.
 *   @default unknown
 * @param key the host's `handoffKey`, to sign the end mark with. @default unsigned
 */
export function writeHandoff(body: string, following?: number | undefined, key?: HandoffKey | undefined): string {
  return frameBody(breakMarks(body), following, key);
}

function frameBody(body: string, following: number | undefined, key: HandoffKey | undefined): string {
  const count = following === undefined ? '' : `+${following}`;
  const signature = key === undefined ? '' : ` ${signHandoff(key, body, following)}`;
  return (
    `[CONTEXT HANDOFF v1, ${body.length} characters]\n${preamble}${body}\n` +
    `[END OF CONTEXT HANDOFF v1 ${checksum(body)}${count}${signature}: the conversation continues below]`
  );
}

/**
 * Puts a handoff before a user's own content. The content stays verbatim: text follows after a blank line, parts stay
 * as they are.
 */
export function prependHandoff(handoff: string, own: string | readonly Part[]): string | readonly Part[] {
  if (typeof own === 'string') return own === '' ? handoff : `${handoff}\n\n${own}`;
  return own.length === 0 ? handoff : [{ type: 'text', text: handoff } as Part, ...own];
}

/**
 * Reads the handoff of this library that a user message starts with, or `null`. It is recognized by its text alone, so
 * it is found again after storage or in another process. If the body was edited, the checksum does not match, and the
 * text counts as ordinary text. Anyone can write such a text: check `isTrustedHandoff` before you act on it.
 */
export function readHandoff({ role, content }: Message): Handoff | null {
  const text = role === 'user' ? openingText(content) : null;
  const found = text === null || !marked.test(text) ? null : readOwn(text);
  return found && withFollowingParts(found.handoff, content);
}

/** Explains why a text is not a handoff from {@link writeHandoff} with nothing after it; `null` when it is one. */
export function handoffProblem(text: string): string | null {
  const found = readOwn(text);
  if (!found) return 'is not a text from writeHandoff()';
  if (found.end < text.length) return 'has text after its end mark';
  return found.handoff.body.trim() === '' ? 'has a blank body' : null;
}

/** Adds the other parts of a message to the `rest` of a handoff that was read from the message's first text. */
export function withFollowingParts(handoff: Handoff, content: Message['content']): Handoff {
  if (!Array.isArray(content)) return handoff;
  const [first, ...rest] = content as readonly Part[];
  if (handoff.rest === '') return { ...handoff, rest: rest.length === 0 ? '' : rest };
  return { ...handoff, rest: [{ ...first, text: handoff.rest } as Part, ...rest] };
}

/** How many messages followed this message's handoff when it was written; `null` without a handoff or when unknown. */
export function messagesFollowing(message: Message): number | null {
  const text = message.role === 'user' ? openingText(message.content) : null;
  return text === null ? null : (readOwn(text)?.following ?? null);
}

/**
 * True for messages that this library writes into a conversation: handoffs, stubs and excerpts of tool results, results
 * for calls that never got one, todo snapshots. Use it to hide such messages or to filter training data. It looks only
 * at the text, so it also accepts imitations.
 */
export function isSynthetic(message: Message): boolean {
  if (isToolResult(message)) return isInsertedResult(contentText(message.content));
  return readHandoff(message) !== null || isInsertedMessage(contentText(message.content).trim());
}

/** Returns the first text of a message, the only place where a handoff can be. */
export function openingText(content: Message['content']): string | null {
  if (typeof content === 'string') return content;
  const first = content?.[0];
  return first && isTextPart(first) ? first.text : null;
}

/** The start of the begin mark. A fast pre-check, because every user message is tested several times. */
const marked: RegExp = /^\s{0,8}\[/;

interface OwnHandoff {
  readonly handoff: Handoff;
  readonly following: number | null;
  /** Index after the end mark. */
  readonly end: number;
}

function readOwn(text: string): OwnHandoff | null {
  const begin = beginMark.exec(text);
  if (!begin || !text.startsWith(preamble, begin[0].length)) return null;
  const start = begin[0].length + preamble.length;
  const body = text.slice(start, start + Number(begin[1]));
  endMark.lastIndex = start + Number(begin[1]);
  const end = endMark.exec(text);
  if (!end || end[1] !== checksum(body)) return null;
  const rest = text.slice(end.index + end[0].length);
  return {
    handoff: { version: 1, body, rest: rest.startsWith('\n\n') ? rest.slice(2) : rest, signature: end[3] },
    following: end[2] === undefined ? null : Number(end[2]),
    end: end.index + end[0].length,
  };
}

/** Part of the end mark of other systems' handoffs. Without its dashes, which are frequent and slow down a search. */
const summaryEnd = 'END OF CONTEXT SUMMARY';
/**
 * Control tokens that begin and end turns in chat templates: with bars, also full-width ones, such as `<|im_start|>`,
 * and without, such as `<start_of_turn>`, `<<SYS>>` and `[INST]`. Also the begin and end marks of our and other
 * systems' handoffs.
 */
const marks: RegExp = new RegExp(
  [
    String.raw`<[|\uff5c][^|\uff5c<>\s]{1,64}[|\uff5c]>`,
    String.raw`<(?:\|[\w-]{1,32}|[\w-]{1,32}\|)>`,
    '<(?:start|end)_of_turn>',
    '</?(?:s|bos|eos|sop|eop)>',
    String.raw`<extra_id_\d{1,3}>`,
    '<</?SYS>>',
    String.raw`\[/?(?:INST|SYSTEM_PROMPT|AVAILABLE_TOOLS|TOOL_CALLS|TOOL_RESULTS|TOOL_CONTENT|MODEL_SETTINGS|CALL_ID|ARGS|gMASK)\]`,
    String.raw`\[\|[\w-]{1,32}\|\]`,
    String.raw`\[(?:END OF )?(?:PRIOR )?CONTEXT(?: HANDOFF| SUMMARY| COMPACTION|[ \t]{1,4}\u2014)`,
    `--- ${summaryEnd}`,
  ].join('|'),
  'g',
);

/**
 * Defuses chat template and handoff marks by inserting a space after their first character, so that they cannot end a
 * turn or a handoff. Use it on quoted or model-written text. Never use it on a user's task, which must stay
 * verbatim. Linear time, idempotent.
 */
export function breakMarks(text: string): string {
  // Every mark begins with one of these. Most texts have none, and searching for them is much faster.
  if (!text.includes('<') && !text.includes('[') && !text.includes(summaryEnd)) return text;
  return text.replace(marks, (mark) => `${mark[0]} ${mark.slice(1)}`);
}
