import type Anthropic from '@anthropic-ai/sdk';
import type { SummarizeResponse, Summarizer } from '@palimpsest/core';
import { amountRule } from '@palimpsest/core/authoring';
import { earlyCloseError, notAnAnswer, type ProviderOptions, providerSummarizer } from './provider-summarizer.ts';

/** Options of {@link anthropicSummarizer}. */
export interface AnthropicSummarizerOptions extends ProviderOptions<Anthropic> {
  /** The model's maximum output in tokens, which the API requires. @default derived from the model's name, at most half of `contextLength` */
  readonly maxOutputTokens?: number | undefined;
}

/**
 * Creates a summarizer that uses `@anthropic-ai/sdk`. The required `max_tokens` is the model's maximum, not the budget.
 * Answers are streamed, because the SDK rejects that much output otherwise. The SDK's own retries are off.
 * @throws {PalimpsestError} `OPTION_INVALID`; `summarize` rejects with `SUMMARIZER_FAILED`, `DEPENDENCY_MISSING`, `ABORTED`
 */
export function anthropicSummarizer(options: AnthropicSummarizerOptions): Summarizer {
  let maximum: number | undefined;
  const ask = async (
    { messages }: Anthropic,
    prompt: string,
    signal: AbortSignal | undefined,
    maxTokens: number,
  ): Promise<SummarizeResponse> => {
    const events = await messages.create(
      { model: options.model, max_tokens: maxTokens, messages: [{ role: 'user', content: prompt }], stream: true },
      { maxRetries: 0, ...(signal ? { signal } : {}) },
    );
    return readStream(events);
  };
  return providerSummarizer(
    {
      name: 'anthropic',
      sdk: '@anthropic-ai/sdk',
      example: 'claude-haiku-4-5',
      rules: { maxOutputTokens: amountRule },
      load: () => import('@anthropic-ai/sdk'),
      async ask(client, prompt, signal) {
        maximum ??= options.maxOutputTokens ?? maximumOutput(options.model, options.contextLength);
        try {
          return await ask(client, prompt, signal, maximum);
        } catch (error) {
          const lower = signal?.aborted ? null : lowerMaximum(error, maximum);
          if (lower === null) throw error;
          maximum = lower.later;
          return ask(client, prompt, signal, lower.now);
        }
      },
    },
    options,
  );
}

async function readStream(events: AsyncIterable<Anthropic.RawMessageStreamEvent>): Promise<SummarizeResponse> {
  let text = '';
  let stop: string | null = null;
  let isStarted = false;
  let isEnded = false;
  let [input, cached, written, output] = [0, 0, 0, 0];
  for await (const event of events) {
    if (event.type === 'message_start') {
      isStarted = true;
      const { usage } = event.message;
      cached = usage?.cache_read_input_tokens ?? 0;
      written = usage?.cache_creation_input_tokens ?? 0;
      input = (usage?.input_tokens ?? 0) + cached + written;
    } else if (event.type === 'content_block_delta' && event.delta.type === 'text_delta') text += event.delta.text;
    else if (event.type === 'message_delta') {
      stop = event.delta.stop_reason;
      output = event.usage?.output_tokens ?? output;
    } else if (event.type === 'message_stop') isEnded = true;
  }
  if (!isStarted) throw notAnAnswer('a stream of the Messages API');
  if (!isEnded && stop === null) throw earlyCloseError();
  const finishReason =
    stop === 'refusal'
      ? 'refusal'
      : stop === 'max_tokens' || stop === 'model_context_window_exceeded'
        ? 'length'
        : 'stop';
  return {
    text,
    finishReason,
    usage: { promptTokens: input, completionTokens: output, cachedTokens: cached, cacheWriteTokens: written },
  };
}

/**
 * Maximum output of a model in tokens, by family. Anthropic requires `max_tokens` in every request, and a value below
 * the model's maximum can cut off a thinking model. Source: Anthropic's model overview, read in November 2025.
 */
const families: readonly (readonly [family: RegExp, tokens: number])[] = [
  [/claude-3-(?:opus|sonnet|haiku)/, 4_096],
  [/claude-3-5|claude-3\.5/, 8_192],
  [/claude-opus-4(?:-0|-1|-2025|@|$)|claude-4-opus/, 32_000],
];

/** Maximum output of newer models. A model that allows less returns an error with its maximum, which is then used. */
const newestMaximum = 64_000;

/** Returns the maximum output of a model in tokens, by the model's name: at most half of its window, if that is known. */
function maximumOutput(model: string, contextLength: number = Number.POSITIVE_INFINITY): number {
  const own = families.find(([family]) => family.test(model))?.[1] ?? newestMaximum;
  return Math.min(own, halfOf(contextLength));
}

/** A `max_tokens` that a provider accepts, in tokens. */
interface AcceptedOutput {
  /** For the request that was refused. */
  readonly now: number;
  /** For later requests, whose prompts have another length. */
  readonly later: number;
}

/**
 * Reads a lower `max_tokens` from a provider's error: the model's own maximum, or the room that the prompt leaves in the
 * window. `null` if the error has another cause or leaves less than 1,024 tokens.
 */
function lowerMaximum(error: unknown, asked: number): AcceptedOutput | null {
  const { status, message } = (error ?? {}) as { status?: unknown; message?: unknown };
  if (status !== 400 || typeof message !== 'string') return null;
  const text = message.slice(0, 2_000);
  const own = /max_tokens: \d{1,9} > (\d{1,9})/.exec(text);
  if (own) return toAccepted(Number(own[1]), Number(own[1]), asked);
  const window = /input length and `?max_tokens`? exceed context limit: (\d{1,9}) \+ \d{1,9} > (\d{1,9})/.exec(text);
  if (!window) return null;
  const [input, length] = [Number(window[1]), Number(window[2])];
  return toAccepted(length - input, halfOf(length), asked);
}

function toAccepted(now: number, later: number, asked: number): AcceptedOutput | null {
  return now >= 1_024 && now < asked ? { now, later: Math.min(later, asked) } : null;
}

/** The largest answer that leaves room for a prompt of the same length. */
function halfOf(contextLength: number): number {
  return Math.floor(contextLength / 2);
}
