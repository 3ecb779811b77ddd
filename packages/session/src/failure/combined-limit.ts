import { countPattern, firstMatch } from './token-number.ts';

/** Prompt and answer together are more than the window. The prompt alone may still fit. */
export interface CombinedLimit {
  readonly limit: number;
  readonly prompt: number;
  readonly output: number;
}

const inWords = '(?:in|for|of) (?:the |your )?(?:messages|prompt|text input|input)';

/** With groups `limit`, `prompt`, `output`. */
const patterns: readonly RegExp[] = [
  // Anthropic
  countPattern('input length and `?max_tokens`? exceed context limit: <prompt> \\+ <output> > <limit>'),
  // OpenAI, Azure, DeepSeek, vLLM, LMDeploy
  countPattern(
    `maximum context length is <limit>(?: tokens)?[^(]{0,80}\\(<prompt> ${inWords}(?:[,;] (?:#) in the functions)?[,;]? (?:and )?<output> (?:in|for) the (?:completion|output)`,
  ),
  // OpenRouter, which tells what tools take
  countPattern(
    `maximum context length is <limit>(?: tokens)?[^(]{0,80}\\(<prompt> ${inWords}(?:, <tools> of tool input)?, <output> in the output`,
  ),
  // vLLM, Bedrock's OpenAI endpoint, Cloudflare
  countPattern(
    'maximum context length is <limit>(?: tokens)?[^0-9]{0,60}requested <output> output tokens and your prompt contains(?: at least)? <prompt> input tokens',
  ),
  // vLLM, where only the output is at fault
  countPattern(
    '(?:max_tokens|max_completion_tokens).{0,60} is too large: <output>\\.? .{0,20}maximum context length is <limit>(?: tokens)? and your request has <prompt> input tokens',
  ),
  // Text Generation Inference, Together
  countPattern(
    'inputs`? tokens \\+ `?max_new_tokens`? must be <= <limit>\\.? given: <prompt> `?inputs`? tokens and <output> `?max_new_tokens',
  ),
  countPattern('max_tokens: <output> > context_window: <limit> - input_tokens: <prompt> = available_tokens: #'),
];

/** Reads a refusal of prompt and answer together; `null` when it is none. */
export function combinedLimit(text: string): CombinedLimit | null {
  const found = firstMatch(patterns, text);
  if (!found || found.limit === null || found.prompt === null || found.output === null) return null;
  return { limit: found.limit!, prompt: found.prompt! + (found.tools ?? 0), output: found.output! };
}
