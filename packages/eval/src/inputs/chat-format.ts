import type { Message } from '@palimpsest/core';
import { isRecord } from '@palimpsest/core/authoring';
import { codecFor, decodeWith } from './codec-format.ts';
import { isMessageLike, readMessage } from './message-shape.ts';
import { maximumTranscriptBytes } from './text-lines.ts';
import type { DecodedTranscript, GatheredFormat, WholeFormat } from './transcript-format.ts';

/** OpenAI chat requests: an array of messages, or an object with `messages` and optional `tools`. */
export const chat: WholeFormat = {
  name: 'chat-completions',
  transcriptIn: 'each-value',
  recognizes: (value) => {
    const messages = isRecord(value) ? value.messages : value;
    return Array.isArray(messages) && (messages.length === 0 || messages.some(isMessageLike));
  },
  decode(value) {
    const holder = isRecord(value) ? value : null;
    const messages = readMessages((holder ? holder.messages : value) as readonly unknown[]);
    if (typeof messages === 'string') return messages;
    return {
      id: typeof holder?.id === 'string' && holder.id !== '' ? holder.id : null,
      messages,
      tools: Array.isArray(holder?.tools) ? holder.tools : [],
      encode: (replaced) => [holder ? { ...holder, messages: replaced } : replaced],
    };
  },
};

/** One message per line, in any provider's format. */
export const messageLines: GatheredFormat = {
  name: 'message-lines',
  transcriptIn: 'all-values',
  mixed: false,
  maximumBytes: maximumTranscriptBytes,
  recognizes: isMessageLike,
  gather() {
    const values: unknown[] = [];
    return {
      add(value) {
        values.push(value);
        return null;
      },
      end: () => decodeLines(values),
    };
  },
};

function decodeLines(values: readonly unknown[]): DecodedTranscript | string {
  const codec = codecFor(values);
  if (codec) {
    const decoded = decodeWith(codec, values);
    if (typeof decoded === 'string') return decoded;
    return { ...decoded, encode: (...edited) => decoded.encode(...edited)[0] as readonly unknown[] };
  }
  const messages = readMessages(values);
  return typeof messages === 'string' ? messages : { id: null, messages, tools: [], encode: (replaced) => replaced };
}

function readMessages(values: readonly unknown[]): readonly Message[] | string {
  if (values.length === 0) return 'it contains no messages';
  const messages: Message[] = [];
  for (const value of values) {
    const message = readMessage(value);
    if (typeof message === 'string') return `message ${messages.length + 1} ${message}`;
    messages.push(message);
  }
  return messages;
}
