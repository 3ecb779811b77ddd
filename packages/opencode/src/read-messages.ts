import { type Message, PalimpsestError, type Part, type ToolCall } from '@palimpsest/core';
import type { Fields } from '@palimpsest/core/authoring';
import type { OpencodeMessage, OpencodePart } from './opencode-api.ts';

/** A core message, and what it was read from: a message of opencode, or one tool part of it. */
export interface Reading {
  readonly message: Message;
  readonly native: OpencodeMessage;
  /** The tool part whose result it is. */
  readonly tool: OpencodePart | null;
}

const known = new WeakMap<OpencodeMessage, readonly Reading[]>();

/**
 * Reads messages as the model gets them. One message of opencode is one answer with its calls, and the results of these
 * calls. The same object is read only once.
 */
export function readMessages(natives: readonly OpencodeMessage[]): readonly Reading[] {
  return natives.flatMap((native) => {
    const before = known.get(native);
    if (before) return before;
    const readings = native.info.role === 'user' ? userReading(native) : answerReadings(native);
    known.set(native, readings);
    return readings;
  });
}

function userReading(native: OpencodeMessage): readonly Reading[] {
  const parts = native.parts.flatMap((part): Part[] => {
    const { type, text, ignored, synthetic, url, mime, filename } = part as OpencodePart & Fields;
    // Attached files and resources, reminders and commands that the user ran are synthetic.
    if (type === 'text')
      return ignored === true || !text
        ? []
        : [synthetic === true ? toInsertedPart(String(text)) : textPart(String(text))];
    if (type === 'file') return isInlined(mime) ? [] : [filePart(url, mime, filename)];
    // The words that opencode sends for them.
    if (type === 'compaction') return [toInsertedPart('What did we do so far?')];
    return type === 'subtask' ? [toInsertedPart('The following tool was executed by the user')] : [];
  });
  return parts.length === 0 ? [] : [{ message: { role: 'user', content: contentOf(parts) }, native, tool: null }];
}

/** True for a file whose text opencode puts into another part. */
function isInlined(mime: unknown): boolean {
  return mime === 'text/plain' || mime === 'application/x-directory';
}

function answerReadings(native: OpencodeMessage): readonly Reading[] {
  if (!isSent(native)) return [];
  const said: Part[] = [];
  const thoughts: string[] = [];
  const calls: ToolCall[] = [];
  const results: Reading[] = [];
  for (const part of native.parts) {
    const { type, text, callID, tool: name, state } = part as OpencodePart & Fields;
    if (type === 'text' && text) said.push(textPart(String(text)));
    if (type === 'reasoning') thoughts.push(String(text));
    if (type !== 'tool') continue;
    const id = String(callID);
    const { input } = state as Fields;
    calls.push({ id, type: 'function', function: { name: String(name), arguments: JSON.stringify(input ?? {}) } });
    results.push({
      message: { role: 'tool', tool_call_id: id, content: resultContent(state as Fields) },
      native,
      tool: part,
    });
  }
  if (said.length + calls.length === 0) return [];
  const message: Message = {
    role: 'assistant',
    content: said.length === 0 ? null : contentOf(said),
    ...(calls.length > 0 && { tool_calls: calls }),
    ...(thoughts.length > 0 && { reasoning_content: thoughts.join('\n\n') }),
  };
  return [{ message, native, tool: null }, ...results];
}

/** opencode does not send an answer that failed, unless it was aborted after it had said something. */
function isSent({ info, parts }: OpencodeMessage): boolean {
  const { error } = info as typeof info & { readonly error?: { readonly name?: string } };
  if (!error) return true;
  return (
    error.name === 'MessageAbortedError' && parts.some(({ type }) => type !== 'step-start' && type !== 'reasoning')
  );
}

function resultContent({ status, output, error, metadata, attachments, time }: Fields): Message['content'] {
  if (status === 'completed') {
    if ((time as Fields | undefined)?.compacted) return '[Old tool result content cleared]';
    const files = Array.isArray(attachments) ? (attachments as Fields[]) : [];
    const shown = files.map(({ url, mime, filename }) => filePart(url, mime, filename));
    return contentOf([textPart(String(output)), ...shown]);
  }
  if (status !== 'error') return '[Tool execution was interrupted]';
  const { interrupted, output: partial } = (metadata ?? {}) as Fields;
  return interrupted === true && typeof partial === 'string' ? partial : String(error);
}

function contentOf(parts: readonly Part[]): Message['content'] {
  const [only] = parts;
  return parts.length === 1 && only && 'text' in only && !('synthetic' in only) ? String(only.text) : parts;
}

/** A text that opencode wrote: data, not the user's words. */
function toInsertedPart(text: string): Part {
  return { type: 'text', text, synthetic: true } as Part;
}

function textPart(text: string): Part {
  return { type: 'text', text } as Part;
}

function filePart(url: unknown, mime: unknown, filename: unknown): Part {
  if (String(mime).startsWith('image/')) return { type: 'image_url', image_url: { url } } as Part;
  return { type: 'file', file: { file_data: url, filename } } as unknown as Part;
}

/** @throws {PalimpsestError} `MESSAGES_INVALID` for a value that is not a list of messages of opencode */
export function checkMessages(messages: unknown): asserts messages is readonly OpencodeMessage[] {
  const list: readonly unknown[] = Array.isArray(messages) ? messages : [null];
  const index = list.findIndex((message) => {
    const { info, parts } = (message ?? {}) as Fields;
    return typeof (info as Fields | undefined)?.role !== 'string' || !Array.isArray(parts);
  });
  if (index < 0) return;
  const why = `messages[${index}] is not a message of opencode with "info" and "parts"`;
  const advice = 'The README of @palimpsest/opencode names the versions of opencode that it was tested with.';
  throw new PalimpsestError('MESSAGES_INVALID', `${why}. ${advice}`, { index });
}
