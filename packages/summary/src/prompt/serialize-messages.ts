import { contentText, type Message, toolCallInput, toolCallName, toolCalls } from '@palimpsest/core';
import { breakMarks, memoizeByObject } from '@palimpsest/core/authoring';
import { splitsPair, startOf } from '@palimpsest/pruner/salience';
import type { SourceMessage } from '../source/gather-source.ts';
import { closesBlock } from './write-prompt.ts';

/**
 * Maximum characters of a message and of a tool call's arguments. Same values as in Hermes Agent. The user's messages are
 * never cut: they hold the rules, and often the command with which to finish.
 */
const messageLimit = 6_000;
const messageHead = 4_000;
const messageTail = 1_500;
const argumentLimit = 1_500;

/** The part of a serialized message that is the same in every compaction. */
interface Serialized {
  /** The text and the calls, each after a line break. Made of slices of the message's texts, so it takes little memory. */
  readonly body: string;
  /** True if the message has a text that may close a block of the prompt. */
  readonly closesBlock: boolean;
}

const serialized = /* @__PURE__ */ memoizeByObject((message: Message) => serialize(message, true));
const serializedWhole = /* @__PURE__ */ memoizeByObject((message: Message) => serialize(message, false));

function serialize(message: Message, isCut: boolean): Serialized {
  const text = typeof message.content === 'string' ? message.content.trim() : '';
  const parts = text === '' ? [] : isCut ? clip(text, messageLimit, messageHead, messageTail) : [text];
  for (const call of toolCalls(message)) parts.push(...callParts(toolCallName(call), toolCallInput(call)));
  const { function_call: legacy } = message;
  if (legacy) parts.push(...callParts(legacy.name, legacy.arguments));
  if (parts.length === 0) parts.push('(nothing)');
  // Chat marks in a quoted turn must not end the turn of the request that contains it. No mark spans a line break, so
  // the parts are searched one by one. Concatenated instead of joined: V8 then copies the texts only once, when the
  // prompt is read.
  const body = parts.reduce((sum, part) => `${sum}\n${breakMarks(part)}`, '');
  return { body, closesBlock: messageTexts(message).some(closesBlock) };
}

/** Messages as the summarizer reads them. */
export interface SerializedMessages {
  /** Number, speaker, text and calls of each message, in order. Tool results get the name of their tool. */
  readonly texts: readonly string[];
  /** True if a text may close a block of the prompt. */
  readonly closesBlocks: boolean;
}

/** Serializes each message separately. */
export function serializeMessages(messages: readonly SourceMessage[]): SerializedMessages {
  // Real transcripts reuse call ids, so a result belongs to the newest earlier call with its id.
  const callNames = new Map<string, string>();
  let closesBlocks = false;
  const texts = messages.map(({ message, index, real }) => {
    for (const call of toolCalls(message)) callNames.set(call.id, toolCallName(call));
    const own = real ? serializedWhole(message) : serialized(message);
    closesBlocks ||= own.closesBlock;
    return `[${index}] ${breakMarks(speaker(message, real, callNames))}:${own.body}`;
  });
  return { texts, closesBlocks };
}

function speaker(message: Message, real: boolean, callNames: ReadonlyMap<string, string>): string {
  const name = message.name ? ` (${message.name})` : '';
  if (message.role === 'tool') {
    const tool = callNames.get(message.tool_call_id ?? '') ?? message.name;
    return tool ? `tool result of ${tool}` : 'tool result';
  }
  if (message.role === 'function') return `tool result${message.name ? ` of ${message.name}` : ''}`;
  // Otherwise a summarizer may mistake documents and harness text for the user's words.
  if (message.role === 'user' && !real) return `inserted by the harness${name}`;
  return `${message.role}${name}`;
}

function callParts(name: string, input: string): string[] {
  const [start, ...rest] = clip(input, argumentLimit, argumentLimit - 300, 250);
  return [`calls ${name || 'a tool'} ${start}`, ...rest];
}

/**
 * Shortens a text over the limit to its beginning, a mark that states how much is missing, and its end.
 * @param head characters kept at the start
 * @param tail characters kept at the end
 */
function clip(text: string, limit: number, head: number, tail: number): string[] {
  if (text.length <= limit) return [text];
  const start = startOf(text, head);
  let last = text.length - tail;
  if (tail > 0 && splitsPair(text, last)) last++;
  return [start, `[... ${last - start.length} characters left out ...]`, text.slice(last)];
}

/** Returns every text of a message that a prompt or a summary may quote: its content, names and calls. */
function messageTexts(message: Message): string[] {
  const { name, function_call: legacy } = message;
  const texts = [contentText(message.content)];
  if (name) texts.push(name);
  for (const call of toolCalls(message)) texts.push(toolCallName(call), toolCallInput(call));
  if (legacy) texts.push(legacy.name, legacy.arguments);
  return texts;
}
