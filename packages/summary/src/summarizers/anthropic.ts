import type Anthropic from '@anthropic-ai/sdk';
import type { SummarizeResponse, Summarizer } from '@palimpsest/core';
import { amountRule } from '@palimpsest/core/authoring';
import { lowerMaximum, maximumOutput } from './anthropic-output.ts';
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
