import type { Usage } from '@palimpsest/core';

type Fields = Readonly<Record<string, unknown>>;

/**
 * Reads a provider's usage report, in the format of OpenAI (chat completions and Responses), Anthropic, the AI SDK,
 * Gemini, DeepSeek or core. Also accepts a whole answer that contains a usage report.
 * @returns `null` for any other value, and for a report without a prompt size
 */
export function readUsage(value: unknown): Usage | null {
  if (!isFields(value)) return null;
  const nested = value.usage ?? value.usageMetadata ?? value.totalUsage;
  if (isFields(nested)) return readUsage(nested);
  return core(value) ?? openaiChat(value) ?? aiSdk(value) ?? gemini(value) ?? inputTokens(value);
}

function core(usage: Fields): Usage | null {
  return usageOf(usage.promptTokens, usage.completionTokens, {
    cachedTokens: tokens(usage.cachedTokens),
    cacheWriteTokens: tokens(usage.cacheWriteTokens),
    reasoningTokens: tokens(usage.reasoningTokens),
  });
}

function openaiChat(usage: Fields): Usage | null {
  const prompt = fields(usage.prompt_tokens_details);
  return usageOf(usage.prompt_tokens, usage.completion_tokens, {
    cachedTokens: tokens(prompt.cached_tokens) ?? tokens(usage.prompt_cache_hit_tokens),
    cacheWriteTokens: tokens(prompt.cache_write_tokens),
    reasoningTokens: tokens(fields(usage.completion_tokens_details).reasoning_tokens),
  });
}

function aiSdk(usage: Fields): Usage | null {
  const { inputTokens, outputTokens } = usage;
  // Language models of the versions 6 and 7 report both as objects.
  if (isFields(inputTokens) && isFields(outputTokens))
    return usageOf(inputTokens.total, outputTokens.total, {
      cachedTokens: tokens(inputTokens.cacheRead),
      cacheWriteTokens: tokens(inputTokens.cacheWrite),
      reasoningTokens: tokens(outputTokens.reasoning),
    });
  const details = fields(usage.inputTokenDetails);
  return usageOf(inputTokens, outputTokens, {
    cachedTokens: tokens(details.cacheReadTokens) ?? tokens(usage.cachedInputTokens),
    cacheWriteTokens: tokens(details.cacheWriteTokens),
    reasoningTokens: tokens(fields(usage.outputTokenDetails).reasoningTokens) ?? tokens(usage.reasoningTokens),
  });
}

function gemini(usage: Fields): Usage | null {
  return usageOf(usage.promptTokenCount, usage.candidatesTokenCount, {
    cachedTokens: tokens(usage.cachedContentTokenCount),
    reasoningTokens: tokens(usage.thoughtsTokenCount),
  });
}

/** OpenAI's Responses API includes cached tokens in `input_tokens`; Anthropic reports them separately. */
function inputTokens(usage: Fields): Usage | null {
  const input = tokens(usage.input_tokens);
  if (input === undefined) return null;
  if (isFields(usage.input_tokens_details) || isFields(usage.output_tokens_details))
    return usageOf(input, usage.output_tokens, {
      cachedTokens: tokens(fields(usage.input_tokens_details).cached_tokens),
      reasoningTokens: tokens(fields(usage.output_tokens_details).reasoning_tokens),
    });
  const read = tokens(usage.cache_read_input_tokens);
  const write = tokens(usage.cache_creation_input_tokens);
  return usageOf(input + (read ?? 0) + (write ?? 0), usage.output_tokens, {
    cachedTokens: read,
    cacheWriteTokens: write,
  });
}

function usageOf(prompt: unknown, completion: unknown, more: Partial<Usage>): Usage | null {
  const promptTokens = tokens(prompt);
  if (!promptTokens) return null;
  return { promptTokens, completionTokens: tokens(completion) ?? 0, ...more };
}

function tokens(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isFinite(value) && value >= 0 ? value : undefined;
}

function fields(value: unknown): Fields {
  return isFields(value) ? value : {};
}

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
