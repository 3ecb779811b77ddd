import type { Message, Part } from '@palimpsest/core';
import type { BinaryContent, BinaryCost } from './binary-content.ts';
import { embeddedBinaries } from './embedded-binary.ts';

/** What things cost, and how an envelope is billed. */
export interface Prices {
  readonly text: (text: string) => number;
  readonly binary: BinaryCost;
}

/** Tokens of one message by what they are for; `text` includes names, calls and the envelope. */
export interface MessageTokens {
  readonly text: number;
  readonly images: number;
  readonly reasoning: number;
}

interface Tally {
  text: number;
  images: number;
  reasoning: number;
}

/** Role, separators and turn marks around one message: OpenAI documents 3, Claude bills about 4. */
const messageEnvelope = 4;
/** What surrounds one tool call besides its id, name and arguments. */
const callEnvelope = 6;
/** Below this, base64 costs less as characters than as a picture, and prose that merely mentions one is left alone. */
const shortestBinary = 512;
/** Objects nested deeper than this are cut off: real payloads stay under 30, and recursion must end. */
const deepest = 64;

// Fields that providers keep for themselves: nothing in them reaches the model as text.
const opaqueKey =
  /^(?:signature|thought_?signature|encrypted\w*|redacted\w*|cache_?control|provider_?(?:metadata|options|executed)|id|type)$/i;
const binaryPart =
  /^(?:image|image_url|input_image|file|input_file|document|media|input_audio|audio|video|video_url|inline_?data)$/i;
const reasoningPart = /^(?:thinking|reasoning|reasoning_content|redacted_thinking)$/;

/** Prices one message. Whatever is in it, the result is finite: unknown parts and cycles are walked, never trusted. */
export function priceMessage(message: Message, prices: Prices): MessageTokens {
  const tally: Tally = { text: messageEnvelope, images: 0, reasoning: 0 };
  if (message === null || typeof message !== 'object') return tally;
  const walk = new MessageWalk(prices, tally);
  walk.content(message.content);
  walk.optionalText(message.name);
  walk.optionalText(message.tool_call_id);
  walk.reasoningText(message.reasoning_content);
  const extra = message as { reasoning?: unknown; function_call?: unknown; refusal?: unknown };
  if (typeof message.reasoning_content !== 'string') walk.reasoningText(extra.reasoning);
  walk.optionalText(extra.refusal);
  if (extra.function_call) walk.call(extra.function_call);
  if (Array.isArray(message.tool_calls)) for (const call of message.tool_calls) walk.call(call);
  return tally;
}

/** Prices any JSON-like value as the text it would be sent as. */
export function priceValue(value: unknown, prices: Prices): MessageTokens {
  const tally: Tally = { text: 0, images: 0, reasoning: 0 };
  new MessageWalk(prices, tally).value(value, 0);
  return tally;
}

class MessageWalk {
  readonly #prices: Prices;
  readonly #tally: Tally;
  readonly #open = new Set<object>();

  constructor(prices: Prices, tally: Tally) {
    this.#prices = prices;
    this.#tally = tally;
  }

  optionalText(text: unknown): void {
    if (typeof text === 'string' && text !== '') this.text(text);
  }

  text(text: string): void {
    let position = 0;
    for (const { start, end, binary } of embeddedBinaries(text, shortestBinary)) {
      const cost = this.#binaryTokens(binary);
      // Base64 runs at about 1.4 characters per token: a short one is cheaper as the text it is sent as.
      if (end - start < cost * 1.4) continue;
      if (start > position) this.#tally.text += this.#prices.text(text.slice(position, start));
      this.#tally.images += cost;
      position = end;
    }
    this.#tally.text += this.#prices.text(position === 0 ? text : text.slice(position));
  }

  reasoningText(text: unknown): void {
    if (typeof text === 'string' && text !== '') this.#tally.reasoning += this.#prices.text(text);
  }

  content(content: unknown, depth = 0): void {
    if (typeof content === 'string') this.text(content);
    else if (Array.isArray(content)) for (const part of content) this.part(part, depth);
    else if (content !== null && content !== undefined) this.part(content, depth);
  }

  call(call: unknown): void {
    this.#tally.text += callEnvelope;
    if (call === null || typeof call !== 'object') return;
    const { id, function: called, custom, name, arguments: input } = call as Record<string, unknown>;
    this.optionalText(id);
    const inner = (called ?? custom ?? { name, arguments: input }) as Record<string, unknown>;
    if (inner === null || typeof inner !== 'object') return;
    this.optionalText(inner.name);
    const given = inner.arguments ?? inner.input;
    if (typeof given === 'string') this.text(given);
    else this.value(given, 0);
  }

  part(part: unknown, depth: number): void {
    if (typeof part === 'string') this.text(part);
    if (part === null || typeof part !== 'object') return;
    if (depth > deepest || this.#open.has(part)) return;
    this.#open.add(part);
    const { type } = part as Part;
    const fields = part as Readonly<Record<string, unknown>>;
    if (typeof fields.text === 'string' && !reasoningPart.test(type)) this.text(fields.text);
    else if (reasoningPart.test(type)) this.reasoningText(fields.thinking ?? fields.text);
    else if (binaryPart.test(type)) this.#binaryPart(fields, depth);
    else if (type === 'tool_result' || type === 'tool-result') this.#toolResult(fields, depth);
    else if (type === 'tool_use' || type === 'tool-call') this.#toolUse(fields);
    else this.value(part, depth, true);
    this.#open.delete(part);
  }

  #toolUse(fields: Readonly<Record<string, unknown>>): void {
    this.#tally.text += callEnvelope;
    this.optionalText(fields.id ?? fields.toolCallId);
    this.optionalText(fields.name ?? fields.toolName);
    this.value(fields.input ?? fields.args, 0);
  }

  #toolResult(fields: Readonly<Record<string, unknown>>, depth: number): void {
    this.#tally.text += callEnvelope;
    this.optionalText(fields.tool_use_id ?? fields.toolCallId);
    if (fields.content !== undefined) {
      this.content(fields.content, depth + 1);
      return;
    }
    const output = fields.output ?? fields.result;
    if (output !== null && typeof output === 'object' && 'value' in output) {
      const { type, value } = output as { type?: unknown; value: unknown };
      if (type === 'content') this.content(value, depth + 1);
      else this.value(value, depth + 1);
    } else this.value(output, depth + 1);
  }

  #binaryPart(fields: Readonly<Record<string, unknown>>, depth: number): void {
    const source = fields.source as Readonly<Record<string, unknown>> | undefined;
    if (source && typeof source === 'object' && (source.type === 'text' || source.type === 'content')) {
      this.content(source.type === 'text' ? source.data : source.content, depth + 1);
      return;
    }
    this.#tally.images += this.#binaryTokens(describeBinary(fields));
  }

  #binaryTokens(binary: BinaryContent): number {
    const tokens = this.#prices.binary(binary);
    return Number.isFinite(tokens) && tokens >= 0 ? tokens : 0;
  }

  value(value: unknown, depth: number, typed = false): void {
    if (typeof value === 'string') this.#leaf(value, typed);
    else if (typeof value === 'number' || typeof value === 'boolean' || typeof value === 'bigint')
      this.text(String(value));
    else if (value instanceof Uint8Array) this.#tally.images += this.#binaryTokens({ source: '', bytes: value });
    else if (value !== null && typeof value === 'object') this.#object(value, depth, typed);
  }

  #leaf(text: string, typed: boolean): void {
    // A long unbroken base64 value in a part nobody knows is a binary or a blob for the provider, not text.
    if (typed && text.length > 2048 && /^[A-Za-z0-9+/_=-]+$/.test(text)) return;
    this.text(text);
  }

  #object(value: object, depth: number, typed: boolean): void {
    const isOuterPart = typed && this.#open.has(value) && depth <= deepest && !this.#walked.has(value);
    if (depth > deepest || (this.#open.has(value) && !isOuterPart)) return;
    this.#walked.add(value);
    this.#open.add(value);
    if (Array.isArray(value)) for (const item of value) this.value(item, depth + 1, typed);
    else {
      for (const [key, item] of Object.entries(value)) {
        if (typed && opaqueKey.test(key)) continue;
        this.#tally.text += this.#prices.text(key) + 2;
        this.value(item, depth + 1, typed);
      }
    }
    this.#open.delete(value);
    this.#walked.delete(value);
  }
  readonly #walked = new Set<object>();
}

function describeBinary(fields: Readonly<Record<string, unknown>>): BinaryContent {
  const nested = (fields.image_url ??
    fields.source ??
    fields.file ??
    fields.image ??
    fields.input_audio ??
    fields.inlineData ??
    fields.inline_data ??
    fields.data ??
    fields.url) as unknown;
  const inner = (nested !== null && typeof nested === 'object' ? nested : {}) as Readonly<Record<string, unknown>>;
  const candidates = [nested, inner.url, inner.data, inner.file_data, fields.file_data, fields.data];
  const source = candidates.find((candidate) => typeof candidate === 'string') as string | undefined;
  const bytes = candidates.find((candidate) => candidate instanceof Uint8Array) as Uint8Array | undefined;
  const mediaType = [
    inner.media_type,
    inner.mediaType,
    inner.mimeType,
    fields.mediaType,
    fields.mimeType,
    fields.media_type,
  ].find((candidate) => typeof candidate === 'string') as string | undefined;
  const detail = [inner.detail, fields.detail].find((candidate) => typeof candidate === 'string') as string | undefined;
  return { source: source ?? (nested instanceof URL ? nested.href : ''), bytes, mediaType, detail };
}
