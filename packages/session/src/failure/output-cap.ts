import { countPattern, firstMatch } from './token-number.ts';

/** With a group `cap`, or `above`: the first number that is too many. */
const patterns: readonly RegExp[] = [
  // Anthropic
  countPattern('max_tokens: # > <cap>,? which is the maximum allowed number of output tokens'),
  // OpenAI, Azure
  countPattern('supports at most <cap> (?:completion|output) tokens'),
  // DeepSeek, Zhipu
  countPattern('valid range of max_(?:completion_|output_)?tokens is \\[ ?# ?, ?<cap> ?\\]'),
  countPattern('max_tokens.{0,40}\\[ ?# ?, ?<cap> ?\\]'),
  // Qwen
  countPattern('range of max_(?:completion_|output_)?tokens should be \\[ ?# ?, ?<cap> ?\\]'),
  // Groq, Mistral, GLM and other gateways
  countPattern(
    'max_(?:completion_|output_|new_)?tokens`? (?:must be|should be|has to be|is limited to|cannot exceed|exceeds the limit of|upper limit is)(?: less than or equal to| at most| no more than| <=)? ?`?<cap>',
  ),
  countPattern("exceeds (?:the )?model'?s? maximum (?:output|completion) tokens \\(?<cap>"),
  // Bedrock
  countPattern('maximum tokens you requested exceeds the model limit of <cap>'),
  // Vertex, Gemini
  countPattern(
    'max_?output_?tokens value of # but the supported range is from # \\(inclusive\\) to <above> \\(exclusive\\)',
  ),
  countPattern('max_?output_?tokens.{0,60}(?:must be|range is).{0,40}(?:to|and|<=) <cap>'),
  // Chinese gateways
  countPattern('max_tokens ?(?:不能超过|不得超过|最大为|上限为) ?<cap>'),
  countPattern('最大输出 ?(?:token)?s?(?:上限|长度)?为? ?<cap>'),
];

const withoutFigure: RegExp =
  /max_(?:completion_|output_|new_)?tokens`? (?:is too (?:large|high|big)|is above the maximum|value is invalid|exceeds the maximum)|max_?output_?tokens is too large/i;

const codes: readonly string[] = [
  'max_tokens_exceeded',
  'output_limit_exceeded',
  'max_output_tokens_exceeded',
  'max_completion_tokens_exceeded',
];

/** The most output tokens allowed; `'unknown'` when the refusal names no figure, `null` when it is about something else. */
export function outputCap(text: string, given: ReadonlySet<string>): number | 'unknown' | null {
  const found = firstMatch(patterns, text);
  if (found?.cap != null) return found.cap;
  if (found?.above != null) return found.above - 1;
  return withoutFigure.test(text) || codes.some((code) => given.has(code)) ? 'unknown' : null;
}
