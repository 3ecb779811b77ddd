import { PalimpsestError, type SummarizeResponse, type Summarizer, type Usage } from '@palimpsest/core';
import type OpenAI from 'openai';
import { callFailure } from './call-failure.ts';
import { loadPackage } from './load-package.ts';

export type { SummarizersErrorCode } from './error-code.ts';

export interface OpenaiSummarizerOptions {
  /** The provider's name for the model, such as `gpt-5-mini`, or what a compatible server calls it. */
  readonly model: string;
  /** A client of your own, with its own key and base URL. @default one made from the options below */
  readonly client?: OpenAI | undefined;
  /** @default the environment variable `OPENAI_API_KEY`, as the SDK reads it */
  readonly apiKey?: string | undefined;
  /** Any compatible server: Ollama, LM Studio, vLLM, OpenRouter, ... @default OpenAI's */
  readonly baseURL?: string | undefined;
  /** The model's context window in tokens. Give it: larger middles are then summarized in parts. @default unknown */
  readonly contextLength?: number | undefined;
  /** Ask for a stream; turn it off for servers that cannot. @default true */
  readonly stream?: boolean | undefined;
  /** How hard a reasoning model thinks. @default the model's own */
  readonly reasoningEffort?: 'none' | 'minimal' | 'low' | 'medium' | 'high' | 'xhigh' | undefined;
  /** Names the writer in reports. @default `openai:` and the model */
  readonly id?: string | undefined;
}

/**
 * A summarizer behind the `openai` package. No output cap goes over the wire, because it would starve a reasoning
 * model; the wanted length stands in the prompt. The SDK's own retries are off: what is tried again, and on which
 * model, is the failure policy's to say.
 * @throws {PalimpsestError} `OPTION_INVALID`; `summarize` rejects with `SUMMARIZER_FAILED`, `DEPENDENCY_MISSING`, `ABORTED`
 */
export function openaiSummarizer(options: OpenaiSummarizerOptions): Summarizer {
  if (typeof options?.model !== 'string' || options.model === '')
    throw new PalimpsestError('OPTION_INVALID', 'openaiSummarizer needs the name of a model, such as "gpt-5-mini".', {
      issues: [{ path: ['model'], message: 'Expected a name.' }],
    });
  const { model, contextLength, stream = true, reasoningEffort } = options;
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
  return {
    id,
    contextLength,
    async summarize({ prompt, signal }) {
      try {
        client ??= connect();
        const { chat } = await client;
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
      } catch (error) {
        throw callFailure(id, error, signal);
      }
    },
  };
}

type FinishReason = OpenAI.ChatCompletion.Choice['finish_reason'] | null | undefined;

function readCompletion(completion: OpenAI.ChatCompletion): SummarizeResponse {
  // A proxy's page comes through the SDK as a text instead of an object.
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
  return new PalimpsestError('SUMMARIZER_FAILED', 'The server answered, but not in the chat-completions protocol.', {
    class: 'bad-output',
    reason: 'not JSON',
  });
}

function closedEarly(): PalimpsestError {
  return new PalimpsestError('SUMMARIZER_FAILED', 'The stream ended before the answer did.', {
    class: 'network',
    reason: 'the stream ended early',
    closedStream: true,
  });
}
