import type { AIMessage, UsageMetadata } from '@langchain/core/messages';
import type { Usage } from '@palimpsest/core';

/** Reads the usage of an answer. LangChain counts cached tokens as input tokens, for every provider. */
export function usageOf(answer: Pick<AIMessage, 'usage_metadata'>): Usage | null {
  const usage = answer.usage_metadata as UsageMetadata | undefined;
  if (!usage) return null;
  const { input_token_details: input, output_token_details: output } = usage;
  return {
    promptTokens: usage.input_tokens,
    completionTokens: usage.output_tokens,
    ...(input?.cache_read === undefined ? {} : { cachedTokens: input.cache_read }),
    ...(input?.cache_creation === undefined ? {} : { cacheWriteTokens: input.cache_creation }),
    ...(output?.reasoning === undefined ? {} : { reasoningTokens: output.reasoning }),
  };
}
