import { type Message, toolCallInput, toolCallName, toolCalls } from '@palimpsest/core';
import { breakMarks } from '@palimpsest/core/authoring';
import { splitsPair, startOf } from '@palimpsest/salience';
import type { SourceMessage } from '../source/gather-source.ts';
import { shortenResults } from './shorten-results.ts';

/** Maximum characters of a message and of a tool call's arguments. Same values as in Hermes Agent. */
const messageLimit = 6_000;
const messageHead = 4_000;
const messageTail = 1_500;
const argumentLimit = 1_500;

/** Redacted messages known to contain no chat or handoff marks, so that each is searched only once. */
const withoutMarks = new WeakSet<Message>();

/** A message as the summarizer reads it: number, speaker, text, calls. */
function serializeMessage(
  { message, index, real }: SourceMessage,
  callNames: ReadonlyMap<string, string>,
  shortened: string | undefined,
): string {
  const head = `[${index}] ${speaker(message, real, callNames)}:`;
  const text = shortened ?? (typeof message.content === 'string' ? message.content.trim() : '');
  const parts = text === '' ? [] : [clip(text, messageLimit, messageHead, messageTail)];
  for (const call of toolCalls(message)) parts.push(callText(toolCallName(call), toolCallInput(call)));
  const { function_call: legacy } = message;
  if (legacy) parts.push(callText(legacy.name, legacy.arguments));
  // Chat marks in a quoted turn must not end the turn of the request that contains it. No mark spans a line break, so
  // the parts are searched one by one.
  if (shortened !== undefined || !withoutMarks.has(message)) {
    const broken = parts.map(breakMarks);
    if (shortened === undefined && broken.every((part, at) => part === parts[at])) withoutMarks.add(message);
    parts.splice(0, parts.length, ...broken);
  }
  // Concatenated instead of joined: V8 then copies the texts only once, when the prompt is read.
  return parts.reduce((turn, part) => `${turn}\n${part}`, breakMarks(head)) + (parts.length === 0 ? '\n(nothing)' : '');
}

/**
 * Serializes each message separately, in order. Tool results get the name of their tool, and long ones are shortened to
 * their best lines.
 */
export function serializeMessages(messages: readonly SourceMessage[], focusTopic: string | null): string[] {
  const shortened = shortenResults(messages, focusTopic);
  // Real transcripts reuse call ids, so a result belongs to the newest earlier call with its id.
  const callNames = new Map<string, string>();
  return messages.map((source, position) => {
    for (const call of toolCalls(source.message)) callNames.set(call.id, toolCallName(call));
    return serializeMessage(source, callNames, shortened.get(position));
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

function callText(name: string, input: string): string {
  return `calls ${name || 'a tool'} ${clip(input, argumentLimit, argumentLimit - 300, 250)}`;
}

/**
 * Shortens a text over the limit to its beginning and end, with a mark between them that states how much is missing.
 * @param head characters kept at the start
 * @param tail characters kept at the end
 */
function clip(text: string, limit: number, head: number, tail: number): string {
  if (text.length <= limit) return text;
  const start = startOf(text, head);
  let last = text.length - tail;
  if (tail > 0 && splitsPair(text, last)) last++;
  return `${start}\n[... ${last - start.length} characters left out ...]\n${text.slice(last)}`;
}
