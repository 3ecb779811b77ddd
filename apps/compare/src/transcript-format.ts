import type { Message } from '@palimpsest/core';
import { isMessageLike, isRecord, readMessage } from './message-shape.ts';

/** What a format makes of the JSON values that hold one transcript. */
export interface DecodedTranscript {
  /** Its own name, when it has one. */
  readonly id: string | null;
  readonly messages: readonly Message[];
  /** Tool schemas, sent with every request beside the messages. */
  readonly tools: readonly unknown[];
  /** The values again, with other messages in them: what `compress` writes. */
  encode(messages: readonly Message[]): readonly unknown[];
}

/** One shape in which transcripts lie in files. Another shape is another row of the table. */
export interface TranscriptFormat {
  readonly name: string;
  /** Whether one JSON value of the input holds a whole transcript, or all values together do. */
  readonly transcriptIn: 'each-value' | 'all-values';
  /** Looks at one value, closely enough to tell the formats apart. */
  recognizes(value: unknown): boolean;
  /** @returns what is wrong, in words that follow the place, when it is broken */
  decode(values: readonly unknown[]): DecodedTranscript | string;
}

/** An array of messages, or an object with `messages` and perhaps `tools`: OpenAI's chat requests. */
const chat: TranscriptFormat = {
  name: 'chat-completions',
  transcriptIn: 'each-value',
  recognizes: (value) => {
    const messages = isRecord(value) ? value.messages : value;
    return Array.isArray(messages) && (messages.length === 0 || messages.some(isMessageLike));
  },
  decode([value]) {
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

/** One message a line. */
const chatLines: TranscriptFormat = {
  name: 'chat-completions-lines',
  transcriptIn: 'all-values',
  recognizes: isMessageLike,
  decode(values) {
    const messages = readMessages(values);
    return typeof messages === 'string' ? messages : { id: null, messages, tools: [], encode: (replaced) => replaced };
  },
};

/** Every shape that can be read, tried in this order. */
export const transcriptFormats: readonly TranscriptFormat[] = [chat, chatLines];

function readMessages(values: readonly unknown[]): readonly Message[] | string {
  if (values.length === 0) return 'it holds no message';
  const messages: Message[] = [];
  for (const value of values) {
    const message = readMessage(value);
    if (typeof message === 'string') return `message ${messages.length} ${message}`;
    messages.push(message);
  }
  return messages;
}
