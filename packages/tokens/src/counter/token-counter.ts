import type { Message, TokenCounter } from '@palimpsest/core';
import { anyRule, checkOptions, choiceRule, functionRule, type RulesOf } from '@palimpsest/core/authoring';
import type { Encoding } from '../encoding.ts';
import { estimateTokens } from '../estimate/estimate-tokens.ts';
import { type BinaryCost, flatBinaryCost } from './binary-content.ts';
import { type Envelope, envelopes } from './envelope.ts';
import { isObject, type MessageTokens, type Prices, priceMessage, priceValue } from './message-cost.ts';
import { createSequence, type Sequence } from './sequence.ts';

/** Options of {@link createTokenCounter}. */
export interface TokenCounterOptions {
  /** The tokenizer to estimate. @default 'o200k_base' */
  readonly encoding?: Encoding | undefined;
  /** Replaces the estimator, for example with an exact tokenizer. Negative and non-finite results count as 0. */
  readonly countText?: ((text: string) => number) | undefined;
  /** Prices images and files, for example with `loadImageCost` of `@palimpsest/tokens/images`. @default 1,600 tokens each */
  readonly binaryCost?: BinaryCost | undefined;
  /** Overrides values of the encoding's envelope. */
  readonly envelope?: Partial<Envelope> | undefined;
}

/** The parts of a request that a provider bills as prompt. */
export interface CountableRequest {
  readonly messages: readonly Message[];
  /** Tool declarations, in OpenAI's or Anthropic's format. */
  readonly tools?: readonly unknown[] | null | undefined;
  /** A system prompt outside the messages, as in Anthropic's API: text or parts. */
  readonly system?: unknown;
}

/** Tokens of a request by category. */
export interface RequestTokens {
  /** Everything except images. */
  readonly text: number;
  readonly images: number;
  /** Sum of text and images. */
  readonly total: number;
}

/** A token counter that also counts conversations and requests. Never throws, and never returns `NaN` or a negative number. */
export interface MessageTokenCounter extends TokenCounter {
  /**
   * Counts a conversation. Reasoning counts only in assistant messages after the last user message, because providers send
   * only that to the model again. Counting a conversation that was extended costs only the new messages.
   */
  countMessages(messages: readonly Message[]): number;
  /** Counts a whole prompt: messages, system prompt, tool declarations and their envelopes. */
  countRequest(request: CountableRequest): number;
  /**
   * Like `countRequest`, but with text and images separately, for `createCalibration` of `@palimpsest/tokens/usage`.
   */
  measureRequest(request: CountableRequest): RequestTokens;
}

interface Remembered {
  readonly content: unknown;
  readonly parts: number;
  readonly calls: unknown;
  readonly reasoning: unknown;
  readonly tokens: MessageTokens;
}

/**
 * Creates a token counter. It caches the price of each message object until its content, tool calls or reasoning change.
 * A change deep inside a content part is not noticed.
 * @throws {PalimpsestError} `OPTION_INVALID` for an unknown option or encoding
 */
export function createTokenCounter(options: TokenCounterOptions = {}): MessageTokenCounter {
  const prices = pricesOf(options);
  const price = createMessagePrice(prices);
  const toolTokens = createToolCount(prices);
  const sequences = new WeakMap<object, Sequence>();

  const measureMessages = (messages: readonly Message[]): MessageTokens => {
    const first = messages[0];
    if (!isObject(first)) return createSequence(price).measure(messages);
    let sequence = sequences.get(first);
    if (!sequence) sequences.set(first, (sequence = createSequence(price)));
    return sequence.measure(messages);
  };

  const measureRequest = ({ messages, tools, system }: CountableRequest): RequestTokens => {
    const counted = measureMessages(messages);
    const prompt = system ? priceMessage({ role: 'system', content: system as string }, prices) : nothing;
    const outside = prompt.text + toolTokens(tools) + prices.envelope.request;
    const images = Math.round(counted.images + prompt.images);
    const rest = Math.round(counted.text + counted.reasoning + outside);
    return { text: rest, images, total: rest + images };
  };

  return {
    countText: (given) => {
      const tokens = priceValue(given, prices);
      return Math.round(tokens.text + tokens.images);
    },
    countMessage: (message, { reasoning = false } = {}) => {
      const tokens = price(message);
      return Math.round(tokens.text + tokens.images + (reasoning ? tokens.reasoning : 0));
    },
    countMessages: (messages) => {
      const tokens = measureMessages(messages);
      return Math.round(tokens.text + tokens.images + tokens.reasoning);
    },
    countRequest: (request) => measureRequest(request).total,
    measureRequest,
  };
}

const nothing: MessageTokens = { text: 0, images: 0, reasoning: 0 };

const rules: RulesOf<TokenCounterOptions> = {
  encoding: /* @__PURE__ */ choiceRule(Object.keys(envelopes)),
  countText: functionRule,
  binaryCost: anyRule,
  envelope: anyRule,
};

function pricesOf(options: TokenCounterOptions): Prices {
  checkOptions('createTokenCounter', options, rules);
  const { encoding = 'o200k_base', binaryCost = flatBinaryCost } = options;
  const text = options.countText ?? ((given: string) => estimateTokens(given, { encoding }));
  return { text, binary: binaryCost, envelope: { ...envelopes[encoding], ...options.envelope } };
}

/** Creates a function that prices a message and caches the result until the message changes. */
function createMessagePrice(prices: Prices): (message: Message) => MessageTokens {
  const memory = new WeakMap<object, Remembered>();
  return (message) => {
    if (!isObject(message)) return priceMessage(message, prices);
    const { content, tool_calls: calls, reasoning_content: reasoning } = message;
    const parts = Array.isArray(content) ? content.length : 0;
    const known = memory.get(message);
    if (
      known &&
      known.content === content &&
      known.parts === parts &&
      known.calls === calls &&
      known.reasoning === reasoning
    ) {
      return known.tokens;
    }
    const { text: words, images, reasoning: thoughts } = priceMessage(message, prices);
    const tokens = { text: words, images, reasoning: thoughts };
    memory.set(message, { content, parts, calls, reasoning, tokens });
    return tokens;
  };
}

/**
 * Creates a function that counts tool declarations. Caches by array: declarations rarely change within a session, and can
 * be as large as a conversation.
 */
function createToolCount(prices: Prices): (tools: readonly unknown[] | null | undefined) => number {
  const { envelope } = prices;
  const declared = new WeakMap<object, { count: number; tokens: number }>();
  return (tools) => {
    if (!Array.isArray(tools) || tools.length === 0) return 0;
    const known = declared.get(tools);
    if (known?.count === tools.length) return known.tokens;
    let tokens = envelope.tools;
    for (const tool of tools) {
      const declaration = (tool as { function?: unknown } | null)?.function ?? tool;
      tokens += envelope.tool + priceValue(declaration, prices).text * envelope.schema;
    }
    declared.set(tools, { count: tools.length, tokens });
    return tokens;
  };
}
