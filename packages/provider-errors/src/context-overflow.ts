import type { Figures } from './figures.ts';
import type { ErrorFacts } from './read-error.ts';

const codes: ReadonlySet<string> = new Set([
  'context_length_exceeded',
  'context_window_exceeded',
  'model_context_window_exceeded',
  'contextwindowexceedederror',
  'contextwindowsizeexceedederror',
  'contextlengthexceedederror',
  'model_max_prompt_tokens_exceeded',
  'max_prompt_tokens_exceeded',
  'prompt_too_long',
  'input_too_long',
  'exceed_context_size_error',
  'outofcontexterror',
  'outofcontext',
  // IBM watsonx
  'token_quantity_exceeded',
  // GitHub Models
  'tokens_limit_reached',
  // Zhipu, Z.ai
  '1261',
  // Baidu
  '336103',
  // iFlytek Spark
  '10907',
]);

const window = String.raw`(?:context[ _-]?(?:length|window|size|limit|budget)|(?:model|sequence|prompt|input|token) (?:length|limit|size)|max_?(?:model|seq|prompt|input|context)_?(?:len|length|tokens)|n_ctx|(?:max\w*|allowed|permitted) (?:allowed |supported |total |number of |amount of )*(?:input |prompt |context |model |message |sequence )*(?:length|tokens?|context|limit)|(?:max\w*|allowed) (?:input|prompt|context) size|(?:input|prompt|context|total)?[_ ]?tokens? (?:limit|quota|budget|capacity)s?)`;
const input = `(?:prompts?|inputs?|contexts?|messages?|conversation|history|requests?|tokens?|token count|sequence|text|query|content|documents?|it)`;
const exceeds = String.raw`(?:exceed\w*|over|above|beyond|surpass\w*|overflow\w*|(?:longer|larger|greater|bigger|more) than|(?:does not|doesnt|cannot|will not|to) fit|too (?:long|large|big|many))`;
const bound = String.raw`(?:must|should|needs? to|has to|have to|cannot|can not|may not|must not)(?: be| have| exceed| contain| not exceed)?[^.\n]{0,30}?(?:less|fewer|lower|smaller|shorter|at most|up to|no more|no longer|within|under|<|exceed)`;

/** Sentences that say a prompt does not fit into the window. */
const conclusive: readonly RegExp[] = [
  // "your input exceeds the context window", "tokens (5000) exceed context window of", "too large for model with 32768 maximum context length"
  new RegExp(String.raw`\b${input}\b[^.\n]{0,80}?\b${exceeds}\b[^.\n]{0,60}?\b${window}`),
  // "context size has been exceeded", "context window exceeds limit", "token limit exceeded", "maximum context reached"
  new RegExp(
    String.raw`\b${window}\b[^.\n]{0,30}?\b(?:exceed\w*|reached|surpass\w*|overflow\w*|is full|too (?:small for|long|large)|not enough)\b`,
  ),
  // "model context of 32768 tokens exceeded", "limit of 32768 tokens exceeded", "exceeded maximum context size 32768"
  /\b(?:over|above|beyond|exceed\w*) the (?:\w+ ){0,2}?(?:limit|max\w*) of \d[\d,._]*k? (?:input |prompt |context )?tokens\b/,
  /\b(?:context|ctx)\b(?: size| length| window| limit)?[ :=(]{1,2}(?:of )?\d[\d,._]*k?(?: tokens?)?\)? (?:is |was |has been )?(?:exceeded|reached|surpassed|overflow\w*)\b/,
  /\b(?:limit|max\w*|budget|capacity)\b[^.\n]{0,20}?\d tokens?\b[^.\n]{0,20}?\b(?:exceeded|reached|surpassed)\b/,
  /\b(?:exceed\w*|surpass\w*|overflow\w*)\b[^.\n]{0,20}?\b(?:max\w* )?(?:context|prompt|input)[ _-](?:length|window|size|limit|budget|tokens?)\b/,
  /\b(?:maximum context|max context|context)\b (?:has been |was |is )?(?:exceeded|reached|overflow\w*|full)\b|\bcontext (?:the )?overflows?\b/,
  // "length of prompt_tokens (35235) must be less than max_seq_len", "inputs must have less than 4096 tokens"
  new RegExp(
    String.raw`\b(?:inputs?|prompts?|messages?|context|prompt_tokens|input_tokens|max_total_tokens|total tokens|number of tokens)\b[^.\n]{0,60}?${bound}[^.\n]{0,60}?(?:tokens?|len|length|context|limit|\d{3})`,
  ),
  // "this model's maximum context length is 4096 tokens" and nothing else
  /\b(?:max\w*|configured|available) (?:model |allowed )?(?:context|prompt|input)[ _](?:length|size|window|tokens?)(?: (?:is|of|for)|:| \()/,
  /\bcontext (?:length|window|size) (?:is|of) (?:only )?\d/,
  // "the input token count is 40120 but the model supports up to 32768"
  /\b(?:input|prompt) token count\b[^.\n]{0,60}?\b(?:supports?|exceed\w*|above|over|limit)\b/,
  /\brange of (?:input|prompt) length\b/,
  /\b(?:prompt|input|messages?|conversation|chat history|context)(?: text| length| size| tokens?| token count| history)?(?: (?:is|are|was|has become))? (?:far |much |way )?too long\b/,
  /\btoo (?:long|large|big) for (?:the |this |requested |your )*(?:model|context)/,
  /\btoo many (?:input |prompt |context )?tokens\b|\btokens in request more than max\b/,
  /\b(?:prompt|inputs?) tokens? too (?:long|many)|\binput tokens exceeded\b/,
  /\bexceeds? (?:the )?max(?:imum)? (?:length|tokens?|message tokens|input|prompt)\b/,
  /\b(?:number of )?(?:input |prompt )?tokens?(?: count)? (?:is |are )?(?:exceed\w*|above|over)\b[^.\n]{0,30}?\b(?:max\w*|limit|allowed)/,
  /\b(?:model|request)\b[^.\n]{0,30}?\b(?:token|context) limit\b/,
  /\btotal message size \d+ exceeds limit/,
  /(?:上下文|输入|提示词?|prompt|对话|请求|token数?|tokens)[^。\n]{0,16}(?:过长|超长|超出|超过|超限|过大|已满|太长)|长度超限|超(?:出|过)(?:了)?[^。\n]{0,12}最大[^。\n]{0,12}(?:长度|token|上下文|输入)|压缩上下文/,
];

/** Sentences that ask for a shorter prompt without saying why. */
const suggestive: readonly RegExp[] = [
  /\b(?:reduce|shorten|decrease|truncate)\b[^.\n]{0,30}?\b(?:length|size|number|tokens)\b[^.\n]{0,20}?\b(?:messages?|inputs?|prompt|context|conversation|history|either one)\b/,
  /\b(?:reduce|shorten|truncate) (?:the |your )(?:prompt|input|messages?|conversation|context)\b/,
  /\b(?:prompt|input|messages?|conversation|context) (?:is |are )?too large\b|\brequest (?:is )?too long\b/,
];

/** Messages that mention a window or a length but are not about a prompt that is too long. */
const somethingElse: RegExp =
  /context window too small|long context beta|context deadline|incompatible with the long context|batch size|no tokens? to generate|(?:higher|increase|raise|larger) max_?\w*tokens|was truncated to fit/;
/** OpenAI's limit on the number of messages; compacting helps. */
const tooManyMessages: RegExp = /invalid (?:messages|input)\b.{0,4}: array too long/;
/** Bedrock's schema error for a prompt with too many characters. Errors about other fields do not match. */
const promptCharacters: RegExp =
  /(?<!#\/\w{1,40}: )expected maxlength: [\d,]{4,}, actual: [\d,]{4,}|#\/(?:prompt|inputtext|messages\S{0,40}): expected maxlength/;
/** A server subtracted the prompt from its window and got a negative limit for the answer. */
const negativeRoom: RegExp =
  /max_(?:completion_|new_|output_)?tokens\b[^.\n]{0,60}(?:at least|greater than|positive|non-negative|>)[^\n]{0,40}(?:got|given|received|value=|:|is) ?-\d/;

/** How clearly an error says that the prompt is too long; `null` when it is about something else. */
export function overflowIn(facts: ErrorFacts, figures: Figures): 'conclusive' | 'suggested' | null {
  const { text } = facts;
  if (somethingElse.test(text)) return null;
  if ([...facts.codes].some((code) => codes.has(code))) return 'conclusive';
  if (negativeRoom.test(text) || promptCharacters.test(text) || tooManyMessages.test(text)) return 'conclusive';
  if (conclusive.some((pattern) => pattern.test(text))) return 'conclusive';
  if (suggestive.some((pattern) => pattern.test(text))) return 'suggested';
  const { limit, prompt } = figures;
  const stated = limit !== null && prompt !== null && prompt > limit && limit >= 256 && /tokens?\b/.test(text);
  return stated ? 'suggested' : null;
}
