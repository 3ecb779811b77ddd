import type { Usage } from '@palimpsest/core';

/** What the SDK reports of one answer. Details are a list where it adds up several answers. */
interface ReportedUsage {
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly inputTokensDetails?: unknown;
  readonly outputTokensDetails?: unknown;
}

type Details = Readonly<Record<string, number | undefined>> | undefined;

/** Reads a usage report of the SDK, which has the details of the Responses API. */
export function usageOf(usage: ReportedUsage | undefined): Usage | null {
  if (!usage?.inputTokens) return null;
  const { inputTokens, outputTokens, inputTokensDetails: input, outputTokensDetails: output } = usage;
  const read = [input].flat().at(-1) as Details;
  const written = [output].flat().at(-1) as Details;
  return {
    promptTokens: inputTokens,
    completionTokens: outputTokens,
    cachedTokens: read?.cached_tokens,
    reasoningTokens: written?.reasoning_tokens,
  };
}
