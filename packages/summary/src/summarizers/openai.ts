import type { SummarizeResponse, Summarizer, Usage } from '@palimpsest/core';
import { switchRule, textRule } from '@palimpsest/core/authoring';
import type OpenAI from 'openai';
import { earlyCloseError, notAnAnswer, type ProviderOptions, providerSummarizer } from './provider-summarizer.ts';

/** Options of {@link openaiSummarizer}. */
export interface OpenaiSummarizerOptions extends ProviderOptions<OpenAI> {
  /** Request a stream. Turn it off for servers that cannot stream. @default true */
  readonly stream?: boolean | undefined;
  /** Reasoning effort of a reasoning model. @default the model's own */
  readonly reasoningEffort?: 'none' | 'minimal' | 'low' | 'medium' | 'high' | 'xhigh' | undefined;
}

/**
 * Creates a summarizer that uses the `openai` package. It sends no limit on output, because a limit would cut off a
 * reasoning model; the prompt states the wanted length. The SDK's own retries are off, because the caller's failure
 * policy decides about retries and fallbacks.
 * @throws {PalimpsestError} `OPTION_INVALID`; `summarize` rejects with `SUMMARIZER_FAILED`, `DEPENDENCY_MISSING`, `ABORTED`
 */
export function openaiSummarizer(options: OpenaiSummarizerOptions): Summarizer {
  return providerSummarizer(
    {
      name: 'openai',
      sdk: 'openai',
      example: 'gpt-5-mini',
      rules: { stream: switchRule, reasoningEffort: textRule },
      load: () => import('openai'),
      async ask({ chat }, prompt, signal) {
        const { model, stream = true, reasoningEffort } = options;
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
      },
    },
    options,
  );
}

type FinishReason = OpenAI.ChatCompletion.Choice['finish_reason'] | null | undefined;

function readCompletion(completion: OpenAI.ChatCompletion): SummarizeResponse {
  // The SDK returns a web page of a proxy as text instead of an object.
  const choice = typeof completion === 'object' ? completion?.choices?.[0] : undefined;
  if (!choice) throw notAnAnswer('a chat completion');
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
  if (count === 0) throw notAnAnswer('a chat completion');
  if (!finish) throw earlyCloseError();
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
