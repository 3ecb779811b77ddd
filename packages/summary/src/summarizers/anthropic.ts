import type Anthropic from '@anthropic-ai/sdk';
import { PalimpsestError, type SummarizeResponse, type Summarizer } from '@palimpsest/core';
import { lowerMaximum, maximumOutput } from './anthropic-output.ts';
import { callFailure } from './call-failure.ts';
import { checkOptions } from './check-options.ts';
import { loadPackage } from './load-package.ts';
import { withTimeout } from './with-timeout.ts';

/** Options of {@link anthropicSummarizer}. */
export interface AnthropicSummarizerOptions {
  /** Name of the model at the provider, such as `claude-haiku-4-5`. */
  readonly model: string;
  /** An existing client, with its own key and base URL. @default a client created from the options below */
  readonly client?: Anthropic | undefined;
  /** The API key. @default the environment variable `ANTHROPIC_API_KEY`, as the SDK reads it */
  readonly apiKey?: string | undefined;
  /** URL of a compatible server. @default Anthropic's */
  readonly baseURL?: string | undefined;
  /** The model's context window in tokens. If set, a larger middle is summarized in parts. @default unknown */
  readonly contextLength?: number | undefined;
  /** The model's maximum output in tokens, which the API requires. @default derived from the model's name, at most half of `contextLength` */
  readonly maxOutputTokens?: number | undefined;
  /**
   * The longest wait for an answer, in milliseconds. A call without an answer by then counts as a failure of class
   * `transient`. @default the engine's limit, 120,000
   */
  readonly timeoutMs?: number | undefined;
  /** Name of the summarizer in reports. @default `anthropic:` and the model */
  readonly id?: string | undefined;
}

/** The names of all options. The compiler rejects a list that is not complete. */
const optionNames: Record<keyof AnthropicSummarizerOptions, true> = {
  model: true,
  client: true,
  apiKey: true,
  baseURL: true,
  contextLength: true,
  maxOutputTokens: true,
  timeoutMs: true,
  id: true,
};

/**
 * Creates a summarizer that uses `@anthropic-ai/sdk`. The required `max_tokens` is the model's maximum, not the budget.
 * Answers are streamed, because the SDK rejects that much output otherwise. The SDK's own retries are off.
 * @throws {PalimpsestError} `OPTION_INVALID`; `summarize` rejects with `SUMMARIZER_FAILED`, `DEPENDENCY_MISSING`, `ABORTED`
 */
export function anthropicSummarizer(options: AnthropicSummarizerOptions): Summarizer {
  checkOptions('anthropicSummarizer', options, Object.keys(optionNames), 'claude-haiku-4-5');
  const { model, contextLength, timeoutMs } = options;
  const id = options.id ?? `anthropic:${model}`;
  let maximum = options.maxOutputTokens ?? maximumOutput(model, contextLength);
  let client: Promise<Anthropic> | undefined = options.client && Promise.resolve(options.client);
  const connect = (): Promise<Anthropic> =>
    loadPackage('@anthropic-ai/sdk', () => import('@anthropic-ai/sdk')).then(
      ({ default: Client }) =>
        new Client({
          ...(options.apiKey === undefined ? {} : { apiKey: options.apiKey }),
          ...(options.baseURL === undefined ? {} : { baseURL: options.baseURL }),
        }),
    );
  // A package or key that appears later is used.
  const forget = (error: unknown): never => {
    client = undefined;
    throw error;
  };
  const ask = async (
    prompt: string,
    signal: AbortSignal | undefined,
    maxTokens: number,
  ): Promise<SummarizeResponse> => {
    const { messages } = await (client ??= connect().catch(forget));
    const events = await messages.create(
      { model, max_tokens: maxTokens, messages: [{ role: 'user', content: prompt }], stream: true },
      { maxRetries: 0, ...(signal ? { signal } : {}) },
    );
    return readStream(events);
  };
  return {
    id,
    contextLength,
    timeoutMs,
    async summarize({ prompt, signal: given }) {
      const askTwice = async (signal: AbortSignal | undefined): Promise<SummarizeResponse> => {
        try {
          return await ask(prompt, signal, maximum);
        } catch (error) {
          const lower = signal?.aborted ? null : lowerMaximum(error, maximum);
          if (lower === null) throw error;
          maximum = lower.later;
          return ask(prompt, signal, lower.now);
        }
      };
      try {
        return await withTimeout(id, timeoutMs, given, askTwice);
      } catch (error) {
        throw callFailure(id, error, given);
      }
    },
  };
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
  if (!isStarted)
    throw new PalimpsestError(
      'SUMMARIZER_FAILED',
      'The server did not answer in the messages protocol. Check the base URL.',
      {
        class: 'bad-output',
        reason: 'not JSON',
      },
    );
  if (!isEnded && stop === null)
    throw new PalimpsestError('SUMMARIZER_FAILED', 'The stream ended before the answer was complete.', {
      class: 'network',
      reason: 'the stream ended early',
      closedStream: true,
    });
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
