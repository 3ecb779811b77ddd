/** What the SDK reports of one answer. Details are a list where it adds up several answers. */
interface ReportedUsage {
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly inputTokensDetails?: unknown;
  readonly outputTokensDetails?: unknown;
}

/** Writes a usage report of the SDK in the format of the Responses API. */
export function usageOf(usage: ReportedUsage | undefined): unknown {
  if (!usage?.inputTokens) return null;
  const { inputTokens, outputTokens, inputTokensDetails: input, outputTokensDetails: output } = usage;
  return {
    input_tokens: inputTokens,
    output_tokens: outputTokens,
    input_tokens_details: [input].flat().at(-1) ?? {},
    output_tokens_details: [output].flat().at(-1) ?? {},
  };
}
