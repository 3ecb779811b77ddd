import { type Dialect, type Message, PalimpsestError, type Provenance } from '@palimpsest/core';
import { isRecord } from '@palimpsest/core/authoring';
import {
  aiSdk,
  anthropic,
  bedrock,
  type Codec,
  createClaudeCodeReader,
  createCodexReader,
  detectFormat,
  gemini,
  ollama,
  openaiResponses,
  pi,
  type SessionLogReader,
  shareGpt,
} from '@palimpsest/formats';
import { isMessageLike, readMessage } from './message-shape.ts';

/** One transcript decoded from JSON values. */
export interface DecodedTranscript {
  /** The id in the file; `null` if it has none. */
  readonly id: string | null;
  readonly messages: readonly Message[];
  /** Tool schemas, which are sent with every request. */
  readonly tools: readonly unknown[];
  /** Which provider's rules apply to roles. @default 'openai' */
  readonly dialect?: Dialect | undefined;
  /** How often the agent compacted the session itself; only known for logs of agents. */
  readonly compactions?: number | undefined;
  /** Pages that a model wrote about parts of the session. Only recorded samples have some. */
  readonly pages?: readonly RecordedPage[] | undefined;
  /** Encodes edited messages as JSON values; used by `compact`. */
  encode(messages: readonly Message[], provenance: Provenance): readonly unknown[];
}

/** A page that a model wrote instead of messages. */
export interface RecordedPage {
  /** The fingerprint of the messages. */
  readonly of: string;
  readonly text: string;
}

/** Collects the values of one transcript. @throws {InvalidTranscript} */
export interface Gathering {
  add(value: unknown): void;
  /** Returns the transcript, or `null` if it is valid but has no messages. */
  end(): DecodedTranscript | null;
}

/** The message says what is wrong with a value, phrased to follow the name of its file. */
export class InvalidTranscript extends Error {}

type AnyCodec = Codec<Record<string, unknown>>;

/** Codecs by name, each with the field of a request that holds the messages. Chat completions need none. */
const codecs: Readonly<Record<string, readonly [codec: AnyCodec, field: string]>> = {
  anthropic: [anthropic as unknown as AnyCodec, 'messages'],
  bedrock: [bedrock as unknown as AnyCodec, 'messages'],
  gemini: [gemini as unknown as AnyCodec, 'contents'],
  ollama: [ollama as unknown as AnyCodec, 'messages'],
  openaiResponses: [openaiResponses as unknown as AnyCodec, 'input'],
  aiSdk: [aiSdk as unknown as AnyCodec, 'messages'],
  pi: [pi as unknown as AnyCodec, 'messages'],
  shareGpt: [shareGpt as unknown as AnyCodec, 'conversations'],
};

/** Session logs of coding agents, by name. */
const logs: Readonly<Record<string, () => Gathering>> = {
  claudeCode: () => gatherLog(anthropic, createClaudeCodeReader()),
  codex: () => gatherLog(openaiResponses, createCodexReader()),
};

/** Formats that are recognized by their shape, if no other fits. */
const shapes: Readonly<Record<string, (value: unknown) => boolean>> = {
  'chat-completions': (value) => {
    const messages = isRecord(value) ? value.messages : value;
    return Array.isArray(messages) && (messages.length === 0 || messages.some(isMessageLike));
  },
  'message-lines': isMessageLike,
};

/** The name of the format that a value has; `null` for none. */
export function formatOf(value: unknown): string | null {
  const name = detectFormat(value);
  if (name !== null && name !== 'openaiChat') return name;
  return Object.keys(shapes).find((shape) => shapes[shape]!(value)) ?? null;
}

/** Whether a value may follow values of a format in one file. Session logs have values of any shape. */
export function mayFollow(format: string, value: unknown): boolean {
  return isLog(format) || (shapes[format]?.(value) ?? detectFormat(value) === format);
}

/** True for a session log, whose last line the agent may still be writing. */
export function isLog(format: string): boolean {
  return Object.hasOwn(logs, format);
}

/** Starts to collect a transcript of which every value is a part; `null` if each value is a transcript. */
export function gathering(format: string): Gathering | null {
  if (format === 'message-lines') return gatherMessages();
  return logs[format]?.() ?? null;
}

/**
 * Decodes a request body, or an array of messages.
 * @throws {InvalidTranscript}
 */
export function decodeValue(value: unknown): DecodedTranscript {
  const holder = isRecord(value) ? value : null;
  const about = {
    id: typeof holder?.id === 'string' && holder.id !== '' ? holder.id : null,
    tools: toolsIn(holder ?? {}),
    ...(Array.isArray(holder?.pages) && { pages: holder.pages.filter(isPage) }),
  };
  const [codec, field] = codecs[detectFormat(value) ?? ''] ?? [];
  if (!codec || field === undefined)
    return {
      ...about,
      messages: readMessages((holder ? holder.messages : value) as readonly unknown[]),
      encode: (replaced) => [holder ? { ...holder, messages: replaced } : replaced],
    };
  const decoded = explainErrors(() => codec.decode(holder ?? { [field]: value }));
  if (decoded.messages.length === 0) throw new InvalidTranscript('it contains no messages');
  return {
    ...about,
    messages: decoded.messages,
    dialect: codec.dialect,
    encode(messages, provenance) {
      const native = codec.encode(decoded, { messages, provenance });
      return [holder ? native : native[field]];
    },
  };
}

function toolsIn({ tools, toolConfig }: Readonly<Record<string, unknown>>): readonly unknown[] {
  const given = tools ?? (isRecord(toolConfig) ? toolConfig.tools : undefined);
  return Array.isArray(given) ? given : [];
}

function isPage(value: unknown): value is RecordedPage {
  return isRecord(value) && typeof value.of === 'string' && typeof value.text === 'string';
}

/** One message per line, in any provider's format. */
function gatherMessages(): Gathering {
  const values: unknown[] = [];
  return {
    add: (value) => values.push(value),
    end() {
      const decoded = decodeValue(values);
      return { ...decoded, encode: (...edited) => decoded.encode(...edited)[0] as readonly unknown[] };
    },
  };
}

function gatherLog<Native extends object>(codec: Codec<Native>, reader: SessionLogReader<Native>): Gathering {
  return {
    add: (value) => explainErrors(() => reader.add(value as object)),
    end() {
      const { id, decoded, messages, compactions } = reader.end();
      // Sessions without a conversation are common in home folders.
      if (messages.every(({ role }) => role === 'system')) return null;
      return {
        id,
        messages,
        tools: [],
        compactions,
        dialect: codec.dialect,
        // The agent could not resume an edited log, so the output is a provider request.
        encode: (edited, provenance) => [codec.encode(decoded, { messages: edited, provenance })],
      };
    },
  };
}

function readMessages(values: readonly unknown[]): readonly Message[] {
  if (values.length === 0) throw new InvalidTranscript('it contains no messages');
  return values.map((value, at) => {
    const message = readMessage(value);
    if (typeof message === 'string') throw new InvalidTranscript(`message ${at + 1} ${message}`);
    return message;
  });
}

/** Says what a codec or reader found wrong with a value, without the position: the caller reports file and line. */
function explainErrors<Result>(read: () => Result): Result {
  try {
    return read();
  } catch (error) {
    if (!PalimpsestError.is(error) || error.code !== 'MESSAGES_INVALID') throw error;
    throw new InvalidTranscript(error.message.replace(/^Line \d+ |^The conversation /, 'it ').replace(/\.$/, ''));
  }
}
