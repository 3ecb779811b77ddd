import type { Usage } from '@palimpsest/core';
import { createParser } from 'eventsource-parser';
import { readUsage } from '../usage/read-usage.ts';

/** What a reply said about itself. */
export interface ReplyReport {
  /** `null` when it holds no figures. */
  readonly usage: Usage | null;
  /** An error inside of a reply that had begun well; `null` without one. */
  readonly error: unknown;
}

/** Reads along as a reply passes by. */
export interface ReplyReader {
  read(chunk: Uint8Array): void;
  /** What was read, at the end or where the reader's interest in the reply ended. */
  end(): ReplyReport;
}

/** A whole reply longer than this is no model's. Characters. */
const longestReply = 64 * 1024 * 1024;

/** @returns `null` for a content type that holds nothing to read */
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
  const parser = createParser({
    onEvent({ data }) {
      // Most events are a word or two of text: they are not worth parsing.
      if (!data.includes('"usage"') && !data.includes('"error"')) return;
      const event = parsed(data);
      if (!isRecord(event)) return;
      error ??= errorIn(event);
      usage = merged(usage, event);
    },
  });
  return {
    read: (chunk) => parser.feed(decoder.decode(chunk, { stream: true })),
    end() {
      parser.reset({ consume: true });
      return { usage, error };
    },
  };
}

/** Anthropic tells of the prompt when a stream begins and of the answer when it ends; the others tell all at the end. */
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
