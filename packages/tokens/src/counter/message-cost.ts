import type { Message } from '@palimpsest/core';
import type { Fields } from '@palimpsest/core/authoring';
import { type BinaryCost, describeBinary } from './binary-content.ts';
import type { Envelope } from './envelope.ts';

/** Functions and constants that determine what each part of a message costs. */
export interface Prices {
  readonly text: (text: string) => number;
  readonly binary: BinaryCost;
  readonly envelope: Envelope;
}

/** Tokens of a message by category, not rounded. `text` includes names, calls and envelopes. */
export interface MessageTokens {
  readonly text: number;
  readonly images: number;
  readonly reasoning: number;
}

/** Values nested deeper than this are not counted. Real payloads stay under 30 levels. */
const maxDepth = 64;
/** Most values visited in one message. Objects that share parts can expand exponentially. */
const maxValues = 200_000;
/** In a part of unknown type, a longer value without a space is considered binary data, not text for the model. */
const maxWordLength = 2048;

const binaryPart =
  /^(?:image|image_url|input_image|file|input_file|document|media|input_audio|audio|video|video_url|inline_?data)$/i;
const reasoningPart = /^(?:thinking|reasoning|reasoning_content|redacted_thinking)$/;
/** Fields of typed parts that never reach the model as text. */
const opaqueField =
  /^(?:type|id|signature|thought_?signature|encrypted\w*|redacted\w*|cache_?control|provider_?(?:metadata|options|executed))$/i;

/** Prices one message. The result is finite for any input, including unknown parts and cycles. */
export function priceMessage(message: Message, prices: Prices): MessageTokens {
  const pricing = new Pricing(prices);
  if (!isObject(message)) return pricing;
  const fields = message as unknown as Fields;
  const answers = fields.role === 'tool' || fields.role === 'function';
  pricing.text += answers ? prices.envelope.result : prices.envelope.message;
  pricing.content(fields.content, 0);
  pricing.string(fields.name);
  pricing.string(fields.tool_call_id);
  pricing.string(fields.refusal);
  pricing.reason(typeof fields.reasoning_content === 'string' ? fields.reasoning_content : fields.reasoning);
  if (isObject(fields.function_call)) pricing.call(fields.function_call);
  if (Array.isArray(fields.tool_calls)) for (const call of fields.tool_calls) pricing.call(call);
  return pricing;
}

/** Prices a string as text, and any other value as the JSON it is sent as. */
export function priceValue(value: unknown, prices: Prices): MessageTokens {
  const pricing = new Pricing(prices);
  pricing.json(value);
  return pricing;
}

export const isObject = (value: unknown): value is object => value !== null && typeof value === 'object';

/** Returns a price, or 0 if it is negative or not finite, so that one bad price cannot spoil the sum. */
const validPrice = (tokens: number): number => (Number.isFinite(tokens) && tokens > 0 ? tokens : 0);

class Pricing implements MessageTokens {
  text = 0;
  images = 0;
  reasoning = 0;
  readonly #prices: Prices;
  /** Objects being visited, to detect cycles. Created only if needed. */
  #open: Set<object> | undefined;
  #left = maxValues;

  constructor(prices: Prices) {
    this.#prices = prices;
  }

  /** Visits an object, unless it is part of a cycle or exceeds the limits. */
  #inside(value: object, depth: number, visit: () => void): void {
    this.#open ??= new Set();
    if (depth > maxDepth || this.#open.has(value) || this.#left-- <= 0) return;
    this.#open.add(value);
    visit();
    this.#open.delete(value);
  }

  /** Prices a string as text, even if it contains an image (a data URL in HTML): providers read it as text. */
  string(text: unknown): void {
    if (typeof text === 'string' && text !== '') this.text += this.#cost(text);
  }

  reason(text: unknown): void {
    if (typeof text === 'string' && text !== '') this.reasoning += this.#cost(text);
  }

  content(content: unknown, depth: number): void {
    if (Array.isArray(content)) for (const part of content) this.#part(part, depth);
    else this.#part(content, depth);
  }

  call(call: unknown): void {
    this.text += this.#prices.envelope.call;
    if (!isObject(call)) return;
    const fields = call as Fields;
    this.string(fields.id ?? fields.toolCallId);
    const called = fields.function ?? fields.custom;
    const inner = (isObject(called) ? called : fields) as Fields;
    this.string(inner.name ?? inner.toolName);
    this.json(inner.arguments ?? inner.input ?? inner.args);
  }

  /** Prices a string as it is, and any other value as the JSON it is sent as. */
  json(value: unknown): void {
    if (typeof value === 'string') this.string(value);
    else if (value !== undefined && value !== null) {
      let left = maxValues;
      let json: string | undefined;
      try {
        json = JSON.stringify(value, (_, item: unknown) => {
          if (left-- === 0) throw new RangeError('too many values');
          return item;
        });
      } catch {
        // Cyclic, too large, or not representable as JSON.
      }
      if (json === undefined) this.#walk(value, 0);
      else this.string(json);
    }
  }

  #part(part: unknown, depth: number): void {
    if (typeof part === 'string') this.string(part);
    else if (isObject(part)) this.#inside(part, depth, () => this.#addTypedPart(part as Fields, depth));
  }

  #addTypedPart(part: Fields, depth: number): void {
    // The type of a Gemini part is the name of its only field.
    const type = typeof part.type === 'string' ? part.type : Object.keys(part)[0]!;
    if (reasoningPart.test(type)) this.reason(part.thinking ?? part.text);
    else if (typeof part.text === 'string') this.string(part.text);
    else if (binaryPart.test(type)) this.#binary(part, depth);
    else if (type === 'tool_use' || type === 'tool-call') this.call(part);
    else if (type === 'tool_result' || type === 'tool-result') this.#result(part, depth);
    else this.#fields(part, depth);
  }

  #result(fields: Fields, depth: number): void {
    this.text += this.#prices.envelope.result;
    this.string(fields.tool_use_id ?? fields.toolCallId);
    const output = fields.content ?? fields.output ?? fields.result;
    const value = isObject(output) && 'value' in output ? output.value : output;
    if (Array.isArray(value)) this.content(value, depth + 1);
    else this.json(value);
  }

  #binary(fields: Fields, depth: number): void {
    const source = fields.source as Fields | undefined;
    // A document may contain text.
    if (isObject(source) && (source.type === 'text' || source.type === 'content'))
      this.content(source.data ?? source.content, depth + 1);
    else this.images += validPrice(this.#prices.binary(describeBinary(fields)));
  }

  #fields(fields: object, depth: number): void {
    for (const [name, value] of Object.entries(fields)) {
      if (opaqueField.test(name)) continue;
      this.text += this.#cost(name) + 2;
      this.#walk(value, depth + 1);
    }
  }

  #walk(value: unknown, depth: number): void {
    if (typeof value === 'string') {
      const isBlob = value.length > maxWordLength && !/[\s"{]/.test(value.slice(0, maxWordLength));
      if (!isBlob) this.string(value);
      else if (value.startsWith('data:')) this.images += validPrice(this.#prices.binary({ source: value }));
    } else if (value instanceof Uint8Array)
      this.images += validPrice(this.#prices.binary({ source: '', bytes: value }));
    else if (isObject(value))
      this.#inside(value, depth, () => {
        if (Array.isArray(value)) for (const item of value) this.#walk(item, depth + 1);
        else this.#fields(value, depth);
      });
    else if (value !== undefined && value !== null && typeof value !== 'function') this.string(String(value));
  }

  #cost(text: string): number {
    return validPrice(this.#prices.text(text));
  }
}
