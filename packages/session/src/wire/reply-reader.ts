import type { Usage } from '@palimpsest/core';
import { createParser } from 'eventsource-parser';
import { readUsage } from '../usage/read-usage.ts';

/** The usage and the error found in a reply. */
export interface ReplyReport {
  /** `null` when there is no usage report. */
  readonly usage: Usage | null;
  /** An error inside a reply with a successful status; `null` without one. */
  readonly error: unknown;
}

/** Reads a reply chunk by chunk while it is passed on. */
export interface ReplyReader {
  read(chunk: Uint8Array): void;
  /** Returns what was read, at the end of the reply or when the client stops reading. */
  end(): ReplyReport;
}

/** Maximum length of a JSON reply that is read, in characters. No model writes longer ones. */
const longestReply = 64 * 1024 * 1024;

/** Maximum length of one event of a stream, in characters. Pictures take a few million. */
export const longestEvent: number = 16 * 1024 * 1024;

/** Creates the reader for a content type; `null` when there is nothing to read. */
export function readerFor(contentType: string): ReplyReader | null {
  if (/\btext\/event-stream\b/i.test(contentType)) return streamReader();
  return /\bjson\b/i.test(contentType) ? wholeReader() : null;
}

function wholeReader(): ReplyReader {
  const decoder = new TextDecoder();
  let text = '';
  return {
    read(chunk) {
      if (text.length < longestReply) text += decoder.decode(chunk, { stream: true });
    },
    end() {
      const reply = parsed(text + decoder.decode());
      return { usage: readUsage(reply), error: isRecord(reply) ? errorIn(reply) : null };
    },
  };
}

function streamReader(): ReplyReader {
  const decoder = new TextDecoder();
  let usage: Usage | null = null;
  let error: unknown = null;
  let isTooLong = false;
  const parser = createParser({
    maxBufferSize: longestEvent,
    onError({ type }) {
      // The reply is passed on all the same. Only what it reports from here on is not known.
      if (type === 'max-buffer-size-exceeded') isTooLong = true;
    },
    onEvent({ data }) {
      // Most events contain only a few words of text and need not be parsed.
      if (!data.includes('"usage"') && !data.includes('"error"')) return;
      const event = parsed(data);
      if (!isRecord(event)) return;
      error ??= errorIn(event);
      usage = merged(usage, event);
    },
  });
  return {
    read(chunk) {
      if (!isTooLong) parser.feed(decoder.decode(chunk, { stream: true }));
    },
    end() {
      if (!isTooLong) parser.reset({ consume: true });
      return { usage, error };
    },
  };
}

/** Anthropic reports the prompt at the beginning of a stream and the answer at its end. Others report both at the end. */
function merged(before: Usage | null, event: Readonly<Record<string, unknown>>): Usage | null {
  const begun = isRecord(event.message) ? readUsage(event.message.usage) : null;
  if (begun) return begun;
  const given = isRecord(event.response) ? event.response.usage : event.usage;
  if (event.type !== 'message_delta' || !before) return readUsage(given) ?? before;
  const written = isRecord(given) ? given.output_tokens : undefined;
  return typeof written === 'number' ? { ...before, completionTokens: written } : before;
}

function errorIn(event: Readonly<Record<string, unknown>>): unknown {
  if (event.type === 'error') return event.error ?? event;
  const response = isRecord(event.response) ? event.response.error : null;
  return response ?? (isRecord(event.error) ? event.error : null);
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
