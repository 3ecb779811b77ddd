import { checksum, digest, hash } from './checksum.ts';
import { foreignHandoffs } from './foreign-handoff.ts';
import { isTextPart, type Message, type Part } from './message.ts';

/** The version {@link writeHandoff} writes. Every version ever shipped stays readable. */
export const handoffVersion = 1;

const beginMark: RegExp = /^\s{0,8}\[CONTEXT HANDOFF v(\d{1,3})\]\n/;
const endMarkPrefix = '[END OF CONTEXT HANDOFF ';
const endMarkSuffix = ': the conversation continues below]';
const endMark: RegExp =
  /\n\[END OF CONTEXT HANDOFF v(\d{1,3}) ([0-9a-f]{8})(?:\+(\d{1,9}))?: the conversation continues below\]/y;

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
  /** How many messages followed this one when it was written; `null` when that is not known. */
  readonly following: number | null;
  /** What stands behind the end mark in the same message: the user's own words, verbatim. `''` when there is none. */
  readonly rest: string | readonly Part[];
}

/**
 * Frames a summary as the text of a user message: a versioned mark, how to read it, the body, and an end mark with a
 * checksum over the body.
 * @param following how many messages follow: a transcript in which as many still do has not grown since.
 */
export function writeHandoff(body: string, following?: number | undefined): string {
  const count = following === undefined ? '' : `+${following}`;
  return `[CONTEXT HANDOFF v${handoffVersion}]\n${frames[handoffVersion]}${body}\n${endMarkPrefix}v${handoffVersion} ${checksum(body)}${count}${endMarkSuffix}`;
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
 * Reads the handoff a user message starts with, ours or another system's, or `null`. The text is the only mark: it
 * survives JSON and other processes. A body that was edited or quoted no longer fits its checksum and is ordinary text.
 */
export function readHandoff(message: Message): Handoff | null {
  if (message.role !== 'user') return null;
  const { content } = message;
  if (typeof content === 'string') return readText(content);
  if (!Array.isArray(content)) return null;
  const parts = content as readonly Part[];
  const first = parts[0];
  if (!first || !isTextPart(first)) return null;
  const handoff = readText(first.text);
  if (!handoff) return null;
  const rest = parts.slice(1);
  if (handoff.rest === '') return { ...handoff, rest: rest.length === 0 ? '' : rest };
  return { ...handoff, rest: [{ ...first, text: handoff.rest as string } as Part, ...rest] };
}

/** True for every message an engine inserts, also after a trip through JSON: to hide it, or to filter training data. */
export function isSynthetic(message: Message): boolean {
  const handoff = readHandoff(message);
  return handoff !== null && handoff.version > 0;
}

function readText(text: string): Handoff | null {
  const begin = beginMark.exec(text);
  if (!begin) return foreignHandoffs(text);
  const version = Number(begin[1]);
  const frame = frames[version];
  if (frame === undefined || !text.startsWith(frame, begin[0].length)) return null;
  const start = begin[0].length + frame.length;
  // One running checksum serves every candidate end mark, so a text full of them still costs one pass.
  let state: number | undefined;
  let from = start;
  for (
    let at = text.indexOf(`\n${endMarkPrefix}`, start - 1);
    at !== -1;
    at = text.indexOf(`\n${endMarkPrefix}`, at + 1)
  ) {
    if (at < start) continue;
    state = hash(text, from, at, state);
    from = at;
    endMark.lastIndex = at;
    const mark = endMark.exec(text);
    if (!mark || Number(mark[1]) !== version || mark[2] !== digest(state, at - start)) continue;
    const rest = text.slice(endMark.lastIndex);
    return {
      version,
      body: text.slice(start, at),
      following: mark[3] === undefined ? null : Number(mark[3]),
      rest: rest.startsWith('\n\n') ? rest.slice(2) : rest,
    };
  }
  return null;
}
