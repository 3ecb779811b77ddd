import { type Message, toolCallInput, toolCallName, toolCalls } from '@palimpsest/core';
import { breakMarks } from '@palimpsest/core/authoring';
import { splitsPair, startOf } from '@palimpsest/salience';
import type { SourceMessage } from '../source/gather-source.ts';
import { remembering } from '../source/remembering.ts';

/** Maximum characters of a message and of a tool call's arguments. Same values as in Hermes Agent. */
const messageLimit = 6_000;
const messageHead = 4_000;
const messageTail = 1_500;
const argumentLimit = 1_500;

/** The text and the calls of a redacted message, each part after a line break. Made of slices of its texts, so it takes little memory. */
const bodyOf = /* @__PURE__ */ remembering((message): string => {
  const text = typeof message.content === 'string' ? message.content.trim() : '';
  const parts = text === '' ? [] : clip(text, messageLimit, messageHead, messageTail);
  for (const call of toolCalls(message)) parts.push(...callParts(toolCallName(call), toolCallInput(call)));
  const { function_call: legacy } = message;
  if (legacy) parts.push(...callParts(legacy.name, legacy.arguments));
  if (parts.length === 0) return '\n(nothing)';
  // Chat marks in a quoted turn must not end the turn of the request that contains it. No mark spans a line break, so
  // the parts are searched one by one. Concatenated instead of joined: V8 then copies the texts only once, when the
  // prompt is read.
  return parts.reduce((body, part) => `${body}\n${breakMarks(part)}`, '');
});

/** A message as the summarizer reads it: number, speaker, text, calls. */
function serializeMessage({ message, index, real }: SourceMessage, callNames: ReadonlyMap<string, string>): string {
  return `[${index}] ${breakMarks(speaker(message, real, callNames))}:${bodyOf(message)}`;
}

/** Serializes each message separately, in order. Tool results get the name of their tool. */
export function serializeMessages(messages: readonly SourceMessage[]): string[] {
  // Real transcripts reuse call ids, so a result belongs to the newest earlier call with its id.
  const callNames = new Map<string, string>();
  return messages.map((source) => {
    for (const call of toolCalls(source.message)) callNames.set(call.id, toolCallName(call));
    return serializeMessage(source, callNames);
  });
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
