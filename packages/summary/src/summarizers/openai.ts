import { PalimpsestError, type SummarizeResponse, type Summarizer, type Usage } from '@palimpsest/core';
import type OpenAI from 'openai';
import { callFailure } from './call-failure.ts';
import { checkOptions } from './check-options.ts';
import { loadPackage } from './load-package.ts';
import { withTimeout } from './with-timeout.ts';

/** Options of {@link openaiSummarizer}. */
export interface OpenaiSummarizerOptions {
  /** Name of the model at the provider or the compatible server, such as `gpt-5-mini`. */
  readonly model: string;
  /** An existing client, with its own key and base URL. @default a client created from the options below */
  readonly client?: OpenAI | undefined;
  /** The API key. @default the environment variable `OPENAI_API_KEY`, as the SDK reads it */
  readonly apiKey?: string | undefined;
  /** URL of a compatible server: Ollama, LM Studio, vLLM, OpenRouter and others. @default OpenAI's */
  readonly baseURL?: string | undefined;
  /** The model's context window in tokens. If set, a larger middle is summarized in parts. @default unknown */
  readonly contextLength?: number | undefined;
  /** Request a stream. Turn it off for servers that cannot stream. @default true */
  readonly stream?: boolean | undefined;
  /** Reasoning effort of a reasoning model. @default the model's own */
  readonly reasoningEffort?: 'none' | 'minimal' | 'low' | 'medium' | 'high' | 'xhigh' | undefined;
  /**
   * The longest wait for an answer, in milliseconds. A call without an answer by then counts as a failure of class
   * `transient`. @default the engine's limit, 120,000
   */
  readonly timeoutMs?: number | undefined;
  /** Name of the summarizer in reports. @default `openai:` and the model */
  readonly id?: string | undefined;
}

/** The names of all options. The compiler rejects a list that is not complete. */
const optionNames: Record<keyof OpenaiSummarizerOptions, true> = {
  model: true,
  client: true,
  apiKey: true,
  baseURL: true,
  contextLength: true,
  stream: true,
  reasoningEffort: true,
  timeoutMs: true,
  id: true,
};

/**
 * Creates a summarizer that uses the `openai` package. It sends no limit on output, because a limit would cut off a
 * reasoning model; the prompt states the wanted length. The SDK's own retries are off, because the caller's failure
 * policy decides about retries and fallbacks.
 * @throws {PalimpsestError} `OPTION_INVALID`; `summarize` rejects with `SUMMARIZER_FAILED`, `DEPENDENCY_MISSING`, `ABORTED`
 */
export function openaiSummarizer(options: OpenaiSummarizerOptions): Summarizer {
  checkOptions('openaiSummarizer', options, Object.keys(optionNames), 'gpt-5-mini');
  const { model, contextLength, timeoutMs, stream = true, reasoningEffort } = options;
  const id = options.id ?? `openai:${model}`;
  let client: Promise<OpenAI> | undefined = options.client && Promise.resolve(options.client);
  const connect = (): Promise<OpenAI> =>
    loadPackage('openai', () => import('openai')).then(
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
  return {
    id,
    contextLength,
    timeoutMs,
    async summarize({ prompt, signal: given }) {
      const ask = async (signal: AbortSignal | undefined): Promise<SummarizeResponse> => {
        const { chat } = await (client ??= connect().catch(forget));
        const body = {
          model,
          messages: [{ role: 'user' as const, content: prompt }],
          ...(reasoningEffort === undefined ? {} : { reasoning_effort: reasoningEffort }),
        };
        const request = { maxRetries: 0, ...(signal ? { signal } : {}) };
        if (!stream) return readCompletion(await chat.completions.create(body, request));
        return await readStream(
          await chat.completions.create({ ...body, stream: true, stream_options: { include_usage: true } }, request),
        );
      };
      try {
        return await withTimeout(id, timeoutMs, given, ask);
      } catch (error) {
        throw callFailure(id, error, given);
      }
    },
  };
}

type FinishReason = OpenAI.ChatCompletion.Choice['finish_reason'] | null | undefined;

function readCompletion(completion: OpenAI.ChatCompletion): SummarizeResponse {
  // The SDK returns a web page of a proxy as text instead of an object.
  const choice = typeof completion === 'object' ? completion?.choices?.[0] : undefined;
  if (!choice) throw notAnAnswer();
  const refused = Boolean(choice.message.refusal);
  return response(choice.message.content ?? '', choice.finish_reason, refused, completion.usage);
}

async function readStream(events: AsyncIterable<OpenAI.ChatCompletionChunk>): Promise<SummarizeResponse> {
  let text = '';
  let finish: FinishReason;
  let refused = false;
  let usage: OpenAI.CompletionUsage | null | undefined;
  let count = 0;
  for await (const event of events) {
    count++;
    const choice = event.choices?.[0];
    text += choice?.delta?.content ?? '';
    refused ||= Boolean(choice?.delta?.refusal);
    finish = choice?.finish_reason ?? finish;
    usage = event.usage ?? usage;
  }
  if (count === 0) throw notAnAnswer();
  if (!finish) throw closedEarly();
  return response(text, finish, refused, usage);
}

function response(
  text: string,
  finish: FinishReason,
  refused: boolean,
  usage: OpenAI.CompletionUsage | null | undefined,
): SummarizeResponse {
  const finishReason = refused || finish === 'content_filter' ? 'refusal' : finish === 'length' ? 'length' : 'stop';
  return { text, finishReason, ...(usage ? { usage: readUsage(usage) } : {}) };
}

function readUsage(usage: OpenAI.CompletionUsage): Usage {
  return {
    promptTokens: usage.prompt_tokens ?? 0,
    completionTokens: usage.completion_tokens ?? 0,
    cachedTokens: usage.prompt_tokens_details?.cached_tokens ?? undefined,
    reasoningTokens: usage.completion_tokens_details?.reasoning_tokens ?? undefined,
  };
}

function notAnAnswer(): PalimpsestError {
  return new PalimpsestError(
    'SUMMARIZER_FAILED',
    'The answer of the server is not a chat completion. Check the base URL.',
    {
      class: 'bad-output',
      reason: 'not JSON',
    },
  );
}

function closedEarly(): PalimpsestError {
  return new PalimpsestError('SUMMARIZER_FAILED', 'The stream ended before the answer was complete.', {
    class: 'network',
    reason: 'the stream ended early',
    closedStream: true,
  });
}
