import type { EngineHost, Message, Part, ToolCall } from '@palimpsest/core';
import { maskedJson, maskedJsonText, Transcript } from '@palimpsest/core/authoring';
import { structuralCopy } from './structural-copy.ts';

type Redact = (text: string) => string;

/** Maximum length of a secret, in characters. Longer base64 strings are data of an image, a recording or a file. */
const longestSecret = 2_048;

interface Copied {
  readonly content: Message['content'];
  readonly calls: Message['tool_calls'];
  readonly copy: Message;
}

/**
 * Shows messages to a foreign engine as frozen copies, with secrets masked by the host's redactor. Roles, ids and tool
 * names stay, so the groups are the same. Each message is copied and masked once.
 */
export class ForeignView {
  readonly #host: EngineHost;
  readonly #copied: WeakMap<Message, Copied> = new WeakMap();

  constructor(host: EngineHost) {
    this.#host = host;
  }

  messages(messages: readonly Message[]): readonly Message[] {
    return Object.freeze(Array.from(messages, (message) => this.#copy(message)));
  }

  /** Returns a transcript of the copies. The originals determine which messages are requests. */
  transcript(transcript: Transcript): Transcript {
    const { tokens, reader } = this.#host;
    const isRequest = (_: Message, index: number): boolean => transcript.isRequest(index);
    return Transcript.of(this.messages(transcript.messages), tokens, { reader, isRequest });
  }

  #copy(message: Message): Message {
    const { content, tool_calls: calls } = message;
    const known = this.#copied.get(message);
    if (known && known.content === content && known.calls === calls) return known.copy;
    const copy = structuralCopy(maskedMessage(message, (text) => this.#host.redact(text)));
    this.#copied.set(message, { content, calls, copy });
    return copy;
  }
}

function maskedMessage(message: Message, redact: Redact): Message {
  const { role, content, tool_calls: calls, tool_call_id: id, function_call: legacy, ...rest } = message;
  return {
    role,
    ...('content' in message ? { content: maskedContent(content, redact) } : {}),
    ...('tool_calls' in message
      ? { tool_calls: Array.isArray(calls) ? calls.map((call) => maskedCall(call, redact)) : calls }
      : {}),
    ...('tool_call_id' in message ? { tool_call_id: id } : {}),
    ...('function_call' in message ? { function_call: legacy && maskedArguments(legacy, redact) } : {}),
    ...maskedJson(rest, redact),
  };
}

function maskedContent(content: Message['content'], redact: Redact): Message['content'] {
  if (typeof content === 'string') return maskedJsonText(content, redact);
  return Array.isArray(content) ? content.map((part: Part) => maskedPart(part, redact)) : content;
}

function maskedPart(part: Part, redact: Redact): Part {
  const { text } = (part ?? {}) as { readonly text?: unknown };
  const masked = maskedJson(part, (one) => (isEmbeddedData(one) ? one : redact(one)));
  return typeof text === 'string' ? ({ ...masked, text: maskedJsonText(text, redact) } as Part) : masked;
}

function isEmbeddedData(text: string): boolean {
  return text.length > longestSecret && (text.startsWith('data:') || !/[^\w+/=\s-]/.test(text.slice(0, 512)));
}

function maskedCall(call: ToolCall, redact: Redact): ToolCall {
  if (call?.type === 'custom') {
    const { input } = call.custom ?? {};
    return typeof input === 'string' ? { ...call, custom: { ...call.custom, input: redact(input) } } : call;
  }
  return call?.function ? { ...call, function: maskedArguments(call.function, redact) } : call;
}

function maskedArguments<Call extends { readonly arguments: string }>(call: Call, redact: Redact): Call {
  const { arguments: input } = call;
  return typeof input === 'string' ? { ...call, arguments: maskedJsonText(input, redact) } : call;
}
