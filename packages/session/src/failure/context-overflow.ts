import type { ErrorFacts } from './error-facts.ts';
import { countPattern, firstMatch } from './token-number.ts';

/** What an overflow says of itself; `null` for what it does not say. Tokens. */
export interface Overflow {
  readonly limit: number | null;
  readonly prompt: number | null;
}

const codes: readonly string[] = [
  'context_length_exceeded',
  'context_window_exceeded',
  'model_context_window_exceeded',
  'contextwindowexceedederror',
  'model_max_prompt_tokens_exceeded',
  'max_prompt_tokens_exceeded',
  'prompt_too_long',
  'exceed_context_size_error',
  'outofcontexterror',
  'outofcontext',
  // Zhipu, Z.ai
  '1261',
  // Baidu
  '336103',
];

/** With groups `limit` and `prompt`, each where the provider names it. */
const withFigures: readonly RegExp[] = [
  // Anthropic, Bedrock and Vertex for its models
  countPattern('prompt is too long:? <prompt>(?: tokens)? > <limit>'),
  // Fireworks
  countPattern('prompt is too long: <prompt>, model maximum context length: <limit>'),
  // OpenAI
  countPattern('configured limit of <limit> tokens\\.? your messages resulted in <prompt> tokens'),
  countPattern(
    'maximum context length (?:is|of) \\(?<limit>(?: tokens)?\\)?[^0-9]{0,80}(?:resulted in|requested(?: about)?|contains?(?: at least)?) <prompt> (?:input )?tokens',
  ),
  // xAI
  countPattern('maximum prompt length is <limit> but the request contains <prompt>'),
  // Gemini
  countPattern('input token count \\(?<prompt>\\)? exceeds the maximum number of tokens allowed \\(?<limit>'),
  // GitHub Copilot
  countPattern('token count of <prompt> exceeds the limit of <limit>'),
  // llama.cpp
  countPattern('\\(<prompt> tokens\\) exceeds the available context size \\(<limit> tokens\\)'),
  // LM Studio
  countPattern('initial prompt \\(<prompt>\\) is greater than the context length \\(<limit>'),
  countPattern('keep the first <prompt> tokens .{0,120}context length of only <limit> tokens'),
  // Moonshot
  countPattern('exceeded model token limit:? <limit>(?: \\(requested:? <prompt>\\))?'),
  // Mistral, DS4
  countPattern('prompt (?:contains|has) <prompt> tokens?.{0,60}(?:too large for model with|context size is) <limit>'),
  // Qwen
  countPattern('range of input length should be \\[ ?# ?, ?<limit> ?\\]'),
  // Together, SGLang
  countPattern("input \\(<prompt> tokens\\) is longer than the model'?s context length \\(<limit>"),
  countPattern(
    "input length \\(?<prompt>\\)?(?: tokens)? exceeds (?:the )?(?:model'?s )?maximum (?:allowed input|context|input) length (?:of |is )?\\(?<limit>",
  ),
  // SiliconFlow
  countPattern('input tokens \\(<prompt>\\) has exceeded max_prompt_tokens \\(<limit>\\)'),
  // Cohere, Text Generation Inference
  countPattern('prompt cannot exceed <limit>.{0,20}received <prompt>'),
  countPattern('inputs?`? must have less than <limit> tokens\\.? given:? <prompt>'),
  countPattern('(?:context window|context length) is <limit>(?: tokens)?,? (?:but )?you requested <prompt>'),
  countPattern('max(?:imum)? input length is <limit> tokens,? but you supplied <prompt>'),
  // What names the limit only: LiteLLM, Ark, OpenRouter, Ollama and many more
  countPattern('(?:maximum|max) (?:context|model|input|prompt) length (?:is|of)? ?\\(?<limit>'),
  countPattern('(?:context length|context window|context size) (?:is|of) (?:only )?\\(?<limit>'),
  countPattern('(?:最大(?:上下文|输入|token)|上下文(?:长度|窗口)?(?:最大|上限)?)[^0-9\\n]{0,20}<limit>'),
];

const withoutFigures: readonly RegExp[] = [
  /prompt (?:is )?too (?:long|large)/i,
  /prompt exceeds max(?:imum)? length/i,
  /prompt tokens? (?:is )?too (?:long|many)/i,
  /input (?:is )?too (?:long|large)|input length too long/i,
  /exceeds? (?:the )?(?:model'?s? )?(?:available |maximum )?context (?:window|length|size|limit)/i,
  /context (?:length|window|size|limit)(?: has been| was| is)? exceeded|context[_ ]length[_ ]exceeded/i,
  /context window exceeds limit|context window is full|maximum context (?:length|reached)/i,
  /exceed(?:s|ed)? (?:max|the maximum|the model'?s maximum) (?:context|input|prompt|message) (?:length|tokens)/i,
  /longer than the (?:model'?s context length|maximum model length)/i,
  /greater than the context length|requested tokens exceed context window/i,
  /exceeds the maximum number of tokens|maximum input tokens|tokens? (?:of your input )?have exceeded the model/i,
  /too many (?:input )?tokens|token limit exceeded|tokens in request more than max tokens/i,
  /reduce the length of (?:the |your )?(?:messages|input|prompt|either one)/i,
  /must be less than the context length of the model/i,
  /total tokens of image and text exceed/i,
  /total tokens exceed the model'?s maximum/i,
  /total message size \d+ exceeds limit/i,
  /上下文(?:长度|内容|窗口)?\s?(?:过长|超长|超出|超过|超限|已满)|压缩上下文/,
  /超(?:出|过)(?:了)?(?:当前)?(?:模型)?(?:的)?(?:支持的)?最大(?:上下文|输入|长度|\s?token)/i,
  /prompt\s?(?:超长|过长)|输入(?:内容|文本|长度|token)*\s?(?:过长|超长|超过|超出|超限)|长度超限/i,
];

/** These speak of a window, too, but not of a prompt that is too long for it. */
const somethingElse: RegExp =
  /context window too small|long context beta|context deadline|incompatible with the long context/i;

/** Reads a refusal for too many prompt tokens; `null` when it is about something else. */
export function contextOverflow({ text, codes: given, figures }: ErrorFacts): Overflow | null {
  if (somethingElse.test(text)) return null;
  const limit = figures.get('n_ctx') ?? null;
  const found = firstMatch(withFigures, text);
  if (found) return { limit: found.limit ?? limit, prompt: found.prompt ?? figures.get('n_prompt_tokens') ?? null };
  if (codes.some((code) => given.has(code)) || withoutFigures.some((pattern) => pattern.test(text)))
    return { limit, prompt: figures.get('n_prompt_tokens') ?? null };
  return null;
}
