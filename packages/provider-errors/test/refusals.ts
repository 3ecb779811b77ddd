import type { ProviderErrorKind, ProviderErrorSubject } from '../src/index.ts';

/** One error body as a provider or server sends it, and what it means. `limit`, `prompt` and `output` in tokens. */
export interface Refusal {
  readonly from: string;
  readonly status: number;
  readonly body: string | object;
  readonly kind: ProviderErrorKind;
  readonly limit?: number;
  readonly prompt?: number;
  readonly output?: number;
  readonly bytes?: number;
  readonly pixels?: number;
  /** Tokens the plan allows one request. */
  readonly plan?: number;
  readonly about?: ProviderErrorSubject;
}

const openai = (message: string, more: object = {}): object => ({
  error: { message, type: 'invalid_request_error', param: 'messages', code: null, ...more },
});
const anthropic = (message: string, type = 'invalid_request_error'): object => ({
  type: 'error',
  error: { type, message },
  request_id: 'req_011CX5uDfRKGCLDjdQNuZVNz',
});
const overflow = { kind: 'context-overflow' } as const;
const overPlan = { kind: 'context-overflow', about: 'plan' } as const;
const capped = { kind: 'output-cap' } as const;
const bytes = { kind: 'payload-too-large' } as const;
const picture = { kind: 'image-too-large' } as const;
const limited = { kind: 'rate-limit' } as const;
const denied = { kind: 'access' } as const;
const broken = { kind: 'server' } as const;
const invalid = { kind: 'invalid-request' } as const;

/** Wordings as found in public issue threads and in the tests of public agents; ids and model names shortened. */
export const refusals: readonly Refusal[] = [
  // Too many prompt tokens.
  {
    from: 'OpenAI chat completions',
    status: 400,
    body: openai(
      "This model's maximum context length is 128000 tokens. However, your messages resulted in 130215 tokens. Please reduce the length of the messages.",
      { code: 'context_length_exceeded' },
    ),
    ...overflow,
    limit: 128_000,
    prompt: 130_215,
  },
  {
    from: 'OpenAI chat completions, newer',
    status: 400,
    body: openai(
      'Input tokens exceed the configured limit of 272000 tokens. Your messages resulted in 402740 tokens. Please reduce the length of the messages.',
      { code: 'context_length_exceeded' },
    ),
    ...overflow,
    limit: 272_000,
    prompt: 402_740,
  },
  {
    from: 'OpenAI responses',
    status: 400,
    body: openai('Your input exceeds the context window of this model. Please adjust your input and try again.', {
      param: 'input',
      code: 'context_length_exceeded',
    }),
    ...overflow,
  },
  {
    from: 'OpenAI, the code alone',
    status: 400,
    body: { error: { code: 'context_length_exceeded', message: 'Bad request.' } },
    ...overflow,
  },
  {
    from: 'Azure OpenAI',
    status: 400,
    body: {
      error: {
        message:
          "This model's maximum context length is 16385 tokens, however you requested 18123 tokens (17523 in your prompt; 600 for the completion). Please reduce your prompt; or completion length.",
        type: 'invalid_request_error',
        param: null,
        code: null,
      },
    },
    ...overflow,
    limit: 16_385,
    prompt: 17_523,
  },
  {
    from: 'Anthropic',
    status: 400,
    body: anthropic('prompt is too long: 208732 tokens > 200000 maximum'),
    ...overflow,
    limit: 200_000,
    prompt: 208_732,
  },
  {
    from: 'Anthropic on Vertex',
    status: 400,
    body: anthropic('Prompt is too long: 1,048,601 tokens > 1,000,000 maximum'),
    ...overflow,
    limit: 1_000_000,
    prompt: 1_048_601,
  },
  {
    from: 'Bedrock, Anthropic models',
    status: 400,
    body: { message: 'Input is too long for requested model.', __type: 'ValidationException' },
    ...overflow,
  },
  {
    from: 'Bedrock, OpenAI-compatible',
    status: 400,
    body: {
      __type: 'ValidationException',
      message:
        "This model's maximum context length is 131072 tokens. However, you requested 4096 output tokens and your prompt contains at least 131000 input tokens, for a total of at least 135096 tokens. Please reduce the length of the input prompt or the number of requested output tokens.",
    },
    ...overflow,
    limit: 131_072,
  },
  {
    from: 'Gemini',
    status: 400,
    body: {
      error: {
        code: 400,
        message: 'The input token count (1200293) exceeds the maximum number of tokens allowed (1048576).',
        errors: [
          { message: 'The input token count (1200293) exceeds the maximum number of tokens allowed (1048576).' },
        ],
        status: 'INVALID_ARGUMENT',
      },
    },
    ...overflow,
    limit: 1_048_576,
    prompt: 1_200_293,
  },
  {
    from: 'Gemini, its list form',
    status: 400,
    body: [
      {
        error: {
          code: 400,
          message: 'The input token count exceeds the maximum number of tokens allowed 1048575.',
          status: 'INVALID_ARGUMENT',
        },
      },
    ],
    ...overflow,
    limit: 1_048_575,
  },
  {
    from: 'Mistral',
    status: 400,
    body: {
      object: 'error',
      message: 'Prompt contains 66385 tokens and 0 draft tokens, too large for model with 32768 maximum context length',
      type: 'invalid_request_prompt_too_long',
      param: null,
      code: '3051',
    },
    ...overflow,
    limit: 32_768,
    prompt: 66_385,
  },
  {
    from: 'Groq',
    status: 400,
    body: openai('Please reduce the length of the messages or completion.', { code: 'context_length_exceeded' }),
    ...overflow,
  },
  {
    from: 'OpenRouter',
    status: 400,
    body: {
      error: {
        message:
          "This endpoint's maximum context length is 131072 tokens. However, you requested about 160211 tokens (158000 of text input, 2211 in the output). Please reduce the length of either one.",
        code: 400,
        metadata: { provider_name: null },
      },
    },
    ...overflow,
    limit: 131_072,
    prompt: 158_000,
  },
  {
    from: "OpenRouter, a provider's refusal in it",
    status: 400,
    body: {
      error: {
        message: 'Provider returned error',
        code: 400,
        metadata: { raw: JSON.stringify(anthropic('prompt is too long: 213462 tokens > 200000 maximum')) },
      },
    },
    ...overflow,
    limit: 200_000,
    prompt: 213_462,
  },
  {
    from: 'OpenRouter, Poolside',
    status: 400,
    body: {
      error: { message: 'Input length 131393 exceeds the maximum allowed input length of 131040 tokens.', code: 400 },
    },
    ...overflow,
    limit: 131_040,
    prompt: 131_393,
  },
  {
    from: 'Together',
    status: 400,
    body: openai("The input (516368 tokens) is longer than the model's context length (262144 tokens)."),
    ...overflow,
    limit: 262_144,
    prompt: 516_368,
  },
  {
    from: 'Together, older',
    status: 422,
    body: openai(
      'Input validation error: `inputs` tokens + `max_new_tokens` must be <= 32769. Given: 75307 `inputs` tokens and 32000 `max_new_tokens`',
    ),
    ...overflow,
    limit: 32_769,
    prompt: 75_307,
  },
  {
    from: 'DeepSeek',
    status: 400,
    body: openai(
      "This model's maximum context length is 65536 tokens. However, you requested 69648 tokens (69648 in the messages, 0 in the completion). Please reduce the length of the messages or completion.",
      { code: 'invalid_request_error' },
    ),
    ...overflow,
    limit: 65_536,
    prompt: 69_648,
  },
  {
    from: 'xAI',
    status: 400,
    body: {
      code: 'Client specified an invalid argument',
      error: "This model's maximum prompt length is 131072 but the request contains 136973 tokens.",
    },
    ...overflow,
    limit: 131_072,
    prompt: 136_973,
  },
  {
    from: 'Cohere',
    status: 400,
    body: {
      message:
        'too many tokens: total number of tokens in the prompt cannot exceed 8192 - received 9000. Try using a shorter prompt, or enabling prompt truncating.',
    },
    ...overflow,
    limit: 8_192,
    prompt: 9_000,
  },
  {
    from: 'Fireworks',
    status: 400,
    body: openai('The prompt is too long: 150000, model maximum context length: 131071'),
    ...overflow,
    limit: 131_071,
    prompt: 150_000,
  },
  {
    from: 'GitHub Copilot',
    status: 400,
    body: {
      error: {
        message: 'prompt token count of 391491 exceeds the limit of 128000',
        code: 'model_max_prompt_tokens_exceeded',
      },
    },
    ...overflow,
    limit: 128_000,
    prompt: 391_491,
  },
  {
    from: 'Ollama cloud',
    status: 400,
    body: {
      StatusCode: 400,
      Status: '400 Bad Request',
      error: 'prompt too long; exceeded max context length by 4021 tokens',
    },
    ...overflow,
  },
  {
    from: 'Ollama',
    status: 400,
    body: { error: 'the input length exceeds the context length' },
    ...overflow,
  },
  {
    from: 'Ollama',
    status: 400,
    body: {
      error:
        'the prompt is longer than the context length currently available to the model; shorten the prompt, adjust the context length in settings, or use a model with a longer context length',
    },
    ...overflow,
  },
  {
    from: 'llama.cpp',
    status: 400,
    body: {
      error: {
        code: 400,
        message: 'request (13392 tokens) exceeds the available context size (8192 tokens), try increasing it',
        type: 'exceed_context_size_error',
        n_prompt_tokens: 13_392,
        n_ctx: 8_192,
      },
    },
    ...overflow,
    limit: 8_192,
    prompt: 13_392,
  },
  {
    from: 'llama.cpp, older',
    status: 400,
    body: {
      error: {
        code: 400,
        message:
          'the request exceeds the available context size. try increasing the context size or enable context shift',
        type: 'exceed_context_size_error',
        n_prompt_tokens: 4_800,
        n_ctx: 4_096,
      },
    },
    ...overflow,
    limit: 4_096,
    prompt: 4_800,
  },
  {
    from: 'vLLM',
    status: 400,
    body: {
      object: 'error',
      message:
        "This model's maximum context length is 16384 tokens. However, you requested 122946 tokens (112946 in the messages, 10000 in the completion). Please reduce the length of the messages or completion.",
      type: 'BadRequestError',
      param: null,
      code: 400,
    },
    ...overflow,
    limit: 16_384,
    prompt: 112_946,
  },
  {
    from: 'vLLM, messages only',
    status: 400,
    body: {
      object: 'error',
      message:
        "This model's maximum context length is 8192 tokens. However, you requested 15099 tokens in the messages, Please reduce the length of the messages.",
      type: 'BadRequestError',
      code: 400,
    },
    ...overflow,
    limit: 8_192,
    prompt: 15_099,
  },
  {
    from: 'vLLM, newer',
    status: 400,
    body: {
      error: {
        message:
          "This model's maximum context length is 262144 tokens. However, you requested 0 output tokens and your prompt contains at least 262145 input tokens, for a total of at least 262145 tokens. Please reduce the length of the input prompt or the number of requested output tokens. (parameter=input_tokens, value=262145)",
        type: 'BadRequestError',
        param: 'input_tokens',
        code: 400,
      },
    },
    ...overflow,
    limit: 262_144,
  },
  {
    from: 'SGLang behind a gateway',
    status: 400,
    body: "The input (263247 tokens) is longer than the model's context length (262144 tokens). trace_id: f1fe7aebfbb65520b18ee10ad4829efa",
    ...overflow,
    limit: 262_144,
    prompt: 263_247,
  },
  {
    from: 'LM Studio',
    status: 400,
    body: {
      error:
        'The number of tokens to keep from the initial prompt (9800) is greater than the context length (8192). Try to load the model with a larger context length, or provide a shorter input.',
    },
    ...overflow,
    limit: 8_192,
    prompt: 9_800,
  },
  {
    from: 'LM Studio, older',
    status: 400,
    body: {
      error:
        'Trying to keep the first 111490 tokens when context the overflows. However, the model is loaded with context length of only 32768 tokens, which is not enough. Try to load the model with a larger context length, or provide a shorter input.',
    },
    ...overflow,
    limit: 32_768,
    prompt: 111_490,
  },
  {
    from: 'LiteLLM',
    status: 400,
    body: openai(
      "litellm.ContextWindowExceededError: litellm.BadRequestError: OpenAIException - Requested token count exceeds the model's maximum context length of 131072 tokens.",
    ),
    ...overflow,
    limit: 131_072,
  },
  {
    from: 'Text Generation Inference',
    status: 422,
    body: {
      error: 'Input validation error: `inputs` must have less than 4096 tokens. Given: 5000',
      error_type: 'validation',
    },
    ...overflow,
    limit: 4_096,
    prompt: 5_000,
  },
  {
    from: 'DS4',
    status: 400,
    body: { error: { message: 'Prompt has 5,958,968 tokens, but the configured context size is 256,000 tokens' } },
    ...overflow,
    limit: 256_000,
    prompt: 5_958_968,
  },
  {
    from: 'Zhipu',
    status: 400,
    body: { error: { code: '1261', message: 'Prompt 超长' } },
    ...overflow,
  },
  {
    from: 'Zhipu, English',
    status: 400,
    body: { error: { code: '1261', message: 'Prompt exceeds max length' } },
    ...overflow,
  },
  {
    from: 'Qwen on DashScope',
    status: 400,
    body: {
      error: {
        code: 'invalid_parameter_error',
        param: null,
        message: '<400> InternalError.Algo.InvalidParameter: Range of input length should be [1, 260096]',
        type: 'invalid_request_error',
      },
    },
    ...overflow,
    limit: 260_096,
  },
  {
    from: 'Moonshot',
    status: 400,
    body: openai('Invalid request: Your request exceeded model token limit: 262144 (requested: 291351)'),
    ...overflow,
    limit: 262_144,
    prompt: 291_351,
  },
  {
    from: 'MiniMax',
    status: 400,
    body: {
      type: 'error',
      error: { type: 'bad_request_error', message: 'invalid params, context window exceeds limit (2013)' },
    },
    ...overflow,
  },
  {
    from: 'SiliconFlow',
    status: 400,
    body: {
      code: 20_015,
      message: 'number of input tokens (204703) has exceeded max_prompt_tokens (202752) limit.',
      data: null,
    },
    ...overflow,
    limit: 202_752,
    prompt: 204_703,
  },
  {
    from: 'Volcengine Ark',
    status: 400,
    body: {
      error: {
        code: 'OutofContextError',
        message: 'Total tokens of image and text exceed max message tokens. Request id: 021756453937251fef43cebbc3e',
        type: 'BadRequest',
      },
    },
    ...overflow,
  },
  {
    from: 'Baidu',
    status: 400,
    body: { error_code: 336_103, error_msg: 'Prompt tokens too long' },
    ...overflow,
  },
  {
    from: 'a Chinese gateway',
    status: 400,
    body: openai('输入内容超过模型最大上下文长度 131072，请压缩上下文后重试'),
    ...overflow,
    limit: 131_072,
  },
  {
    from: 'another Chinese gateway',
    status: 400,
    body: openai('上下文长度超出模型最大限制'),
    ...overflow,
  },
  {
    from: 'Pangu',
    status: 400,
    body: { error_code: 'PANGU.3254', error_msg: '超出了模型最大token限制。' },
    ...overflow,
  },
  // More output than fits, or than the model can write.
  {
    from: 'Anthropic, prompt and answer together',
    status: 400,
    body: anthropic(
      'input length and `max_tokens` exceed context limit: 188240 + 21333 > 200000, decrease input length or `max_tokens` and try again',
    ),
    ...capped,
    limit: 200_000,
    prompt: 188_240,
    output: 11_760,
  },
  {
    from: 'Anthropic, hardly any room left',
    status: 400,
    body: anthropic(
      'input length and `max_tokens` exceed context limit: 199759 + 8192 > 200000, decrease input length or `max_tokens` and try again',
    ),
    ...overflow,
    limit: 200_000,
    prompt: 199_759,
  },
  {
    from: 'Anthropic, the output of a model',
    status: 400,
    body: anthropic(
      'max_tokens: 128000 > 64000, which is the maximum allowed number of output tokens for claude-haiku-4-5-20251001',
    ),
    ...capped,
    output: 64_000,
  },
  {
    from: 'OpenAI, the output of a model',
    status: 400,
    body: openai(
      'max_tokens is too large: 32000. This model supports at most 16384 completion tokens, whereas you provided 32000.',
      { param: 'max_tokens', code: 'invalid_value' },
    ),
    ...capped,
    output: 16_384,
  },
  {
    from: 'OpenAI, with separators',
    status: 400,
    body: openai(
      'max_tokens is too large: 200,000. This model supports at most 16,384 completion tokens, whereas you provided 200,000.',
    ),
    ...capped,
    output: 16_384,
  },
  {
    from: 'DeepSeek, the output of a model',
    status: 400,
    body: openai('Invalid max_tokens value, the valid range of max_tokens is [1, 8192]'),
    ...capped,
    output: 8_192,
  },
  {
    from: 'DeepSeek, prompt and answer together',
    status: 400,
    body: openai(
      "This model's maximum context length is 131072 tokens. However, you requested 131134 tokens (122942 in the messages, 8192 in the completion). Please reduce the length of the messages or completion.",
    ),
    ...capped,
    limit: 131_072,
    prompt: 122_942,
    output: 8_130,
  },
  {
    from: 'OpenAI, with functions',
    status: 400,
    body: openai(
      "This model's maximum context length is 8192 tokens. However, you requested 9324 tokens (1224 in the messages, 100 in the functions, and 8000 in the completion). Please reduce the length of the messages, functions, or completion.",
      { code: 'context_length_exceeded' },
    ),
    ...capped,
    limit: 8_192,
    prompt: 1_324,
    output: 6_868,
  },
  {
    from: 'vLLM, only the output at fault',
    status: 400,
    body: {
      object: 'error',
      message:
        "'max_tokens' or 'max_completion_tokens' is too large: 8192. This model's maximum context length is 16384 tokens and your request has 12000 input tokens (8192 > 16384 - 12000). None",
      type: 'BadRequestError',
      code: 400,
    },
    ...capped,
    limit: 16_384,
    prompt: 12_000,
    output: 4_384,
  },
  {
    from: 'Cloudflare',
    status: 400,
    body: openai(
      "This model's maximum context length is 32768 tokens. However, you requested 32000 output tokens and your prompt contains at least 769 input tokens, for a total of at least 32769 tokens. Please reduce the length of the input prompt or the number of requested output tokens. (parameter=input_tokens, value=769)",
    ),
    ...capped,
    limit: 32_768,
  },
  {
    from: 'OpenRouter, prompt and answer together',
    status: 400,
    body: openai(
      "This endpoint's maximum context length is 65536 tokens. However, you requested about 65810 tokens (1430 of text input, 380 of tool input, 64000 in the output). Please reduce the length of either one.",
    ),
    ...capped,
    limit: 65_536,
    prompt: 1_810,
    output: 63_726,
  },
  {
    from: 'Together, prompt and answer together',
    status: 422,
    body: openai(
      'Input validation error: `inputs` tokens + `max_new_tokens` must be <= 32769. Given: 364 `inputs` tokens and 32768 `max_new_tokens`',
    ),
    ...capped,
    limit: 32_769,
    prompt: 364,
    output: 32_405,
  },
  {
    from: 'Groq, the output of a model',
    status: 400,
    body: openai(
      '`max_tokens` must be less than or equal to `8192`, the maximum value for `max_tokens` is less than the `context_window` for this model',
    ),
    ...capped,
    output: 8_192,
  },
  {
    from: 'Bedrock, the output of a model',
    status: 400,
    body: {
      __type: 'ValidationException',
      message:
        'The maximum tokens you requested exceeds the model limit of 4096. Try again with a maximum tokens value that is lower than 4096.',
    },
    ...capped,
    output: 4_096,
  },
  {
    from: 'Vertex, the output of a model',
    status: 400,
    body: {
      error: {
        code: 400,
        message:
          'Unable to submit request because it has a maxOutputTokens value of 100000 but the supported range is from 1 (inclusive) to 65537 (exclusive). Update the value and try again.',
        status: 'INVALID_ARGUMENT',
      },
    },
    ...capped,
    output: 65_536,
  },
  {
    from: 'Qwen, the output of a model',
    status: 400,
    body: openai('<400> InternalError.Algo.InvalidParameter: Range of max_tokens should be [1, 8192]'),
    ...capped,
    output: 8_192,
  },
  {
    from: 'Zhipu, the output of a model',
    status: 400,
    body: { error: { code: '1210', message: 'API 调用参数有误：max_tokens参数非法：限制数值范围[1,1024]' } },
    ...capped,
    output: 1_024,
  },
  {
    from: 'a gateway, the output of a model',
    status: 400,
    body: openai("max_tokens (384000) exceeds model's maximum output tokens (65536)"),
    ...capped,
    output: 65_536,
  },
  { from: 'a gateway without a figure', status: 400, body: openai('max_tokens is too large'), ...capped },
  {
    from: 'a Chinese gateway, the output',
    status: 400,
    body: openai('max_tokens 不能超过8192'),
    ...capped,
    output: 8_192,
  },
  // Too many bytes or pixels.
  {
    from: 'Anthropic, 413',
    status: 413,
    body: anthropic('Request exceeds the maximum size', 'request_too_large'),
    ...bytes,
  },
  {
    from: 'nginx, 413',
    status: 413,
    body: '<html>\r\n<head><title>413 Request Entity Too Large</title></head>\r\n<body>\r\n<center><h1>413 Request Entity Too Large</h1></center>\r\n<hr><center>nginx</center>\r\n</body>\r\n</html>',
    ...bytes,
  },
  { from: 'Cerebras, 413 without a body', status: 413, body: '', ...bytes },
  {
    from: 'Gemini, bytes',
    status: 400,
    body: {
      error: {
        code: 400,
        message: 'Request payload size exceeds the limit: 20971520 bytes.',
        status: 'INVALID_ARGUMENT',
      },
    },
    ...bytes,
    bytes: 20_971_520,
  },
  {
    from: 'OpenAI, one string',
    status: 400,
    body: openai(
      "Invalid 'messages[1].content': string too long. Expected a string with maximum length 10485760, but got a string with length 11534336 instead.",
      { param: 'messages[1].content', code: 'string_above_max_length' },
    ),
    ...bytes,
    bytes: 10_485_760,
  },
  {
    from: 'Anthropic, bytes of a picture',
    status: 400,
    body: anthropic(
      'messages.46.content.9.image.source.base64: image exceeds 5 MB maximum: 6096280 bytes > 5242880 bytes',
    ),
    ...picture,
    bytes: 5_242_880,
  },
  {
    from: 'Anthropic, pixels of a picture',
    status: 400,
    body: anthropic(
      'messages.52.content.2.image.source.base64.data: At least one of the image dimensions exceed max allowed size: 8000 pixels',
    ),
    ...picture,
    pixels: 8_000,
  },
  {
    from: 'Anthropic, pixels of many pictures',
    status: 400,
    body: anthropic(
      'messages.15.content.2.image.source.base64.data: At least one of the image dimensions exceed max allowed size for many-image requests: 2000 pixels',
    ),
    ...picture,
    pixels: 2_000,
  },
  {
    from: 'Anthropic, too many pictures',
    status: 400,
    body: anthropic('too many total images, documents and pages: 120 > 100 maximum'),
    ...picture,
  },
  // Errors that compacting does not fix.
  {
    from: 'OpenAI, too fast',
    status: 429,
    body: openai(
      'Rate limit reached for gpt-4o in organization org-x on tokens per min (TPM): Limit 30000, Used 28000, Requested 4000. Please try again in 4s.',
      { type: 'tokens', code: 'rate_limit_exceeded' },
    ),
    ...limited,
  },
  {
    from: 'OpenAI, more than a minute allows',
    status: 429,
    body: openai(
      'Request too large for gpt-4o in organization org-x on tokens per min (TPM): Limit 30000, Requested 38324. The input or output tokens must be reduced in order to run successfully.',
      { type: 'tokens', code: 'rate_limit_exceeded' },
    ),
    ...overPlan,
    plan: 30_000,
  },
  {
    from: 'Groq, more than a minute allows, as 413',
    status: 413,
    body: openai(
      'Request too large for model `qwen/qwen3-32b` in organization `org_x` service tier `on_demand` on tokens per minute (TPM): Limit 6000, Requested 12089, please reduce your message size and try again.',
      { type: 'tokens', code: 'rate_limit_exceeded' },
    ),
    ...overPlan,
    plan: 6_000,
  },
  {
    from: 'Anthropic, too fast',
    status: 429,
    body: anthropic(
      'This request would exceed the rate limit for your organization of 20,000 input tokens per minute.',
      'rate_limit_error',
    ),
    ...limited,
  },
  {
    from: 'Bedrock, too fast',
    status: 400,
    body: { __type: 'ThrottlingException', message: 'Too many tokens, please wait before trying again.' },
    ...limited,
  },
  {
    from: 'Gemini, quota',
    status: 429,
    body: {
      error: {
        code: 429,
        message: 'You exceeded your current quota, please check your plan and billing details.',
        status: 'RESOURCE_EXHAUSTED',
      },
    },
    ...limited,
  },
  {
    from: 'OpenAI, a wrong key',
    status: 401,
    body: openai(
      'Incorrect API key provided: sk-***. You can find your API key at https://platform.openai.com/account/api-keys.',
      {
        code: 'invalid_api_key',
      },
    ),
    ...denied,
  },
  {
    from: 'OpenRouter, balance',
    status: 402,
    body: {
      error: {
        message:
          'This request requires more credits, or fewer max_tokens. You requested up to 32000 tokens, but can only afford 16000. To increase, visit https://openrouter.ai/settings/credits and upgrade to a paid account',
        code: 402,
      },
    },
    ...denied,
  },
  {
    from: 'Anthropic, plan',
    status: 400,
    body: anthropic('The long context beta is not yet available for this subscription.'),
    ...denied,
  },
  {
    from: 'Anthropic, balance',
    status: 400,
    body: anthropic('Your credit balance is too low to access the Anthropic API. Please go to Plans & Billing.'),
    ...denied,
  },
  {
    from: 'OpenAI, broken',
    status: 500,
    body: openai('The server had an error while processing your request. Sorry about that!', { type: 'server_error' }),
    ...broken,
  },
  { from: 'Anthropic, overloaded', status: 529, body: anthropic('Overloaded', 'overloaded_error'), ...broken },
  { from: 'a proxy', status: 502, body: '<html><body><h1>502 Bad Gateway</h1></body></html>', ...broken },
  {
    from: 'a server in trouble that speaks of context',
    status: 503,
    body: openai('context deadline exceeded while waiting for an upstream', { type: 'server_error' }),
    ...broken,
  },
  {
    from: 'OpenAI, a broken request',
    status: 400,
    body: openai(
      "An assistant message with 'tool_calls' must be followed by tool messages responding to each 'tool_call_id'.",
    ),
    ...invalid,
  },
  {
    from: 'Anthropic, a call without its result',
    status: 400,
    body: anthropic(
      'messages.2: `tool_use` ids were found without `tool_result` blocks immediately after: toolu_01A09q90qw90lq917835lq9. Each `tool_use` block must have a corresponding `tool_result` block in the next message.',
    ),
    ...invalid,
  },
  {
    from: 'Anthropic, a thought of another model',
    status: 400,
    body: anthropic('messages.1.content.0: Invalid `signature` in `thinking` block'),
    ...invalid,
    about: 'reasoning',
  },
  {
    from: 'a server that only takes text from tools',
    status: 400,
    body: openai('tool message content must be a string'),
    ...invalid,
    about: 'tool-content',
  },
  {
    from: 'OpenAI, another long field',
    status: 400,
    body: openai('Expected a string with maximum length 64, but got a string with length 65 instead.', {
      param: 'prompt_cache_key',
      code: 'string_above_max_length',
    }),
    ...invalid,
  },
  {
    from: 'a server whose window is too small for its model',
    status: 400,
    body: openai('Model context window too small (minimum is 128k tokens)'),
    ...invalid,
  },
  {
    from: 'a server that does not know the model',
    status: 404,
    body: openai('The model `x` does not exist'),
    ...invalid,
    about: 'model',
  },
];
