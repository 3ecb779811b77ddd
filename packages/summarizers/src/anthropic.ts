import type Anthropic from '@anthropic-ai/sdk';
import { PalimpsestError, type SummarizeResponse, type Summarizer } from '@palimpsest/core';
import { lowerMaximum, maximumOutput } from './anthropic-output.ts';
import { callFailure } from './call-failure.ts';
import { loadPackage } from './load-package.ts';

export type { SummarizersErrorCode } from './error-code.ts';

export interface AnthropicSummarizerOptions {
  /** The provider's name for the model, such as `claude-haiku-4-5`. */
  readonly model: string;
  /** A client of your own, with its own key and base URL. @default one made from the options below */
  readonly client?: Anthropic | undefined;
  /** @default the environment variable `ANTHROPIC_API_KEY`, as the SDK reads it */
  readonly apiKey?: string | undefined;
  /** Any compatible server. @default Anthropic's */
  readonly baseURL?: string | undefined;
  /** The model's context window in tokens. Give it: larger middles are then summarized in parts. @default unknown */
  readonly contextLength?: number | undefined;
  /** The model's maximum output in tokens, which the API wants to be told. @default known by the model's name */
  readonly maxOutputTokens?: number | undefined;
  /** Names the writer in reports. @default `anthropic:` and the model */
  readonly id?: string | undefined;
}

/**
 * A summarizer behind `@anthropic-ai/sdk`. `max_tokens`, which the API requires, is the model's maximum and never the
 * budget; answers are streamed, because the SDK refuses that much output otherwise. The SDK's own retries are off.
 * @throws {PalimpsestError} `OPTION_INVALID`; `summarize` rejects with `SUMMARIZER_FAILED`, `DEPENDENCY_MISSING`, `ABORTED`
 */
export function anthropicSummarizer(options: AnthropicSummarizerOptions): Summarizer {
  if (typeof options?.model !== 'string' || options.model === '')
    throw new PalimpsestError(
      'OPTION_INVALID',
      'anthropicSummarizer needs the name of a model, such as "claude-haiku-4-5".',
      { issues: [{ path: ['model'], message: 'Expected a name.' }] },
    );
  const { model, contextLength } = options;
  const id = options.id ?? `anthropic:${model}`;
  let maximum = options.maxOutputTokens ?? maximumOutput(model);
  let client: Promise<Anthropic> | undefined = options.client && Promise.resolve(options.client);
  const connect = (): Promise<Anthropic> =>
    loadPackage('@anthropic-ai/sdk', () => import('@anthropic-ai/sdk')).then(
      ({ default: Client }) =>
        new Client({
          ...(options.apiKey === undefined ? {} : { apiKey: options.apiKey }),
          ...(options.baseURL === undefined ? {} : { baseURL: options.baseURL }),
        }),
    );
  const ask = async (
    prompt: string,
    signal: AbortSignal | undefined,
    maxTokens: number,
  ): Promise<SummarizeResponse> => {
    const { messages } = await (client ??= connect());
    const events = await messages.create(
      { model, max_tokens: maxTokens, messages: [{ role: 'user', content: prompt }], stream: true },
      { maxRetries: 0, ...(signal ? { signal } : {}) },
    );
    return readStream(events);
  };
  return {
    id,
    contextLength,
    async summarize({ prompt, signal }) {
      try {
        return await ask(prompt, signal, maximum);
      } catch (error) {
        const lower = signal?.aborted ? null : lowerMaximum(error, maximum);
        if (lower === null) throw callFailure(id, error, signal);
        // A maximum of the model holds for every call; what the window left beside this prompt holds for this one.
        if (/max_tokens: \d/.test((error as Error).message)) maximum = lower;
        try {
          return await ask(prompt, signal, lower);
        } catch (second) {
          throw callFailure(id, second, signal);
        }
      }
    },
  };
}

async function readStream(events: AsyncIterable<Anthropic.RawMessageStreamEvent>): Promise<SummarizeResponse> {
  let text = '';
  let stop: string | null = null;
  let begun = false;
  let ended = false;
  let [input, cached, written, output] = [0, 0, 0, 0];
  for await (const event of events) {
    if (event.type === 'message_start') {
      begun = true;
      const { usage } = event.message;
      cached = usage?.cache_read_input_tokens ?? 0;
      written = usage?.cache_creation_input_tokens ?? 0;
      input = (usage?.input_tokens ?? 0) + cached + written;
    } else if (event.type === 'content_block_delta' && event.delta.type === 'text_delta') text += event.delta.text;
    else if (event.type === 'message_delta') {
      stop = event.delta.stop_reason;
      output = event.usage?.output_tokens ?? output;
    } else if (event.type === 'message_stop') ended = true;
  }
  if (!begun)
    throw new PalimpsestError('SUMMARIZER_FAILED', 'The server answered, but not in the messages protocol.', {
      class: 'bad-output',
      reason: 'not JSON',
    });
  if (!ended && stop === null)
    throw new PalimpsestError('SUMMARIZER_FAILED', 'The stream ended before the answer did.', {
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
