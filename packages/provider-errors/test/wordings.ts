import type { ProviderErrorKind } from '../src/index.ts';

/** One refusal in a provider's words: who, HTTP status, message or whole body, kind, stated limit in tokens. */
export type Wording = readonly [
  from: string,
  status: number | null,
  body: string | object,
  kind: ProviderErrorKind,
  limitTokens?: number | null,
];

const overflow = 'context-overflow';
const cap = 'output-cap';
const invalid = 'invalid-request';

/**
 * Further refusals, from providers' documentation, the sources of servers and public issue threads. None of them is in
 * the table of recorded refusals.
 */
export const wordings: readonly Wording[] = [
  // Cloud models.
  [
    'Cerebras',
    400,
    {
      message: 'Please reduce the length of the messages or completion. Current length is 8195 while limit is 8192',
      type: 'invalid_request_error',
      param: 'messages',
      code: 'context_length_exceeded',
    },
    overflow,
    8_192,
  ],
  [
    'Bedrock Titan',
    400,
    {
      __type: 'ValidationException',
      message: '400 Bad Request: Too many input tokens. Max input tokens: 8192, request input token count: 9279 ',
    },
    overflow,
    8_192,
  ],
  [
    'Bedrock Nova, behind boto3',
    null,
    {
      name: 'ValidationException',
      message:
        'An error occurred (ValidationException) when calling the Converse operation: The model returned the following errors: Too many input tokens. Max input tokens: 128000, request input token count: 140000',
    },
    overflow,
    128_000,
  ],
  [
    'Bedrock Llama, invoke',
    400,
    { message: "This model's maximum context length is 8192 tokens. Please reduce the length of the prompt" },
    overflow,
    8_192,
  ],
  ['Bedrock Jurassic', 400, { message: 'Prompt has too many tokens: 9001 (max 8191)' }, overflow, 8_191],
  [
    'Bedrock Cohere',
    400,
    { message: 'too many tokens: total number of tokens in the prompt cannot exceed 4096 - received 5120.' },
    overflow,
    4_096,
  ],
  [
    'Bedrock Titan, characters',
    400,
    {
      message:
        'Malformed input request: expected maxLength: 50000, actual: 52611, please reformat your input and try again.',
    },
    overflow,
    null,
  ],
  [
    'IBM watsonx',
    400,
    {
      errors: [
        {
          code: 'invalid_input_argument',
          message:
            "Invalid input argument for Model 'x': the number of input tokens 9000 cannot exceed the total tokens limit 8192 for this model",
        },
      ],
      status_code: 400,
    },
    overflow,
    8_192,
  ],
  [
    'Cloudflare Workers AI',
    413,
    {
      errors: [
        {
          message:
            'AiError: AiError: The estimated number of input and maximum output tokens (29113) exceeded this model context window limit (24000). (3a1b)',
          code: 5021,
        },
      ],
      success: false,
      result: {},
      messages: [],
    },
    overflow,
    24_000,
  ],
  [
    'Cloudflare, code in the text',
    413,
    '5021: The estimated number of input and maximum output tokens (155740) exceeded this model context window limit (128000).',
    overflow,
    128_000,
  ],
  [
    'DeepInfra',
    400,
    { error: { message: 'Requested input length 163899 exceeds maximum input length 163839' } },
    overflow,
    163_839,
  ],
  [
    'DeepInfra, detail',
    422,
    { detail: { error: 'inputs must have less than 32767 tokens. Given: 40211' } },
    overflow,
    32_767,
  ],
  [
    'Novita',
    400,
    {
      code: 400,
      reason: 'INVALID_REQUEST_BODY',
      message: "input is longer than the model's context length",
      metadata: {},
    },
    overflow,
    null,
  ],
  [
    'Replicate',
    422,
    { detail: 'Prompt length exceeds maximum input length. Prompt length: 5012, maximum: 4096' },
    overflow,
    4_096,
  ],
  [
    'Perplexity',
    400,
    {
      error: {
        message: 'Prompt is too long: 140211 tokens. The maximum allowed is 127072 tokens.',
        type: 'invalid_request',
        code: 400,
      },
    },
    overflow,
    127_072,
  ],
  [
    'AI21',
    422,
    { detail: 'The prompt and completion tokens exceed the model limit. Prompt tokens: 262200, limit: 262144' },
    overflow,
    262_144,
  ],
  [
    'Vertex Claude',
    400,
    { type: 'error', error: { type: 'invalid_request_error', message: 'Prompt is too long' } },
    overflow,
    null,
  ],
  [
    'Vertex Gemini, exceeded',
    400,
    [
      {
        error: {
          code: 400,
          message: 'The input token count exceeds the maximum number of tokens allowed 1048576.',
          status: 'INVALID_ARGUMENT',
        },
      },
    ],
    overflow,
    1_048_576,
  ],
  ['Gemini Live', null, { error: { message: 'Input tokens exceed model limit of 131,072 tokens' } }, overflow, 131_072],
  [
    'GitHub Copilot',
    400,
    {
      error: {
        message: 'prompt token count of 129103 exceeds the limit of 128000',
        code: 'model_max_prompt_tokens_exceeded',
      },
    },
    overflow,
    128_000,
  ],
  [
    'Databricks',
    400,
    {
      error_code: 'BAD_REQUEST',
      message:
        'Bad request: {"error":{"message":"Input length 140021 exceeds maximum context length 131072","type":"BadRequestError","code":400}}\n',
    },
    overflow,
    131_072,
  ],
  [
    'Snowflake Cortex',
    400,
    { message: 'max tokens of 128000 exceeded. Input has 130211 tokens', code: '399504' },
    overflow,
    128_000,
  ],
  [
    'SageMaker',
    424,
    {
      Code: 'ModelError',
      Message:
        'Received client error (422) from primary with message "{"error":"Input validation error: `inputs` must have less than 4096 tokens. Given: 5001","error_type":"validation"}".',
    },
    overflow,
    4_096,
  ],
  [
    'Fireworks',
    400,
    {
      error: {
        object: 'error',
        type: 'invalid_request_error',
        message: 'The prompt is too long: 140021, model maximum context length: 131071',
      },
    },
    overflow,
    131_071,
  ],
  [
    'Groq',
    400,
    {
      error: {
        message: 'Please reduce the length of the messages or completion.',
        type: 'invalid_request_error',
        param: 'messages',
        code: 'context_length_exceeded',
      },
    },
    overflow,
    null,
  ],
  // Chinese clouds.
  [
    'Tencent Hunyuan',
    200,
    {
      Response: {
        Error: { Code: 'InvalidParameterValue', Message: '输入长度超过模型最大上下文长度 32768' },
        RequestId: 'x',
      },
    },
    overflow,
    32_768,
  ],
  [
    'Baidu Qianfan',
    400,
    { error: { code: 'tokens_too_long', message: 'Prompt tokens too long', type: 'invalid_request_error' } },
    overflow,
    null,
  ],
  ['Zhipu', 400, { error: { code: '1261', message: 'Prompt 超长' } }, overflow, null],
  [
    'StepFun',
    400,
    {
      error: {
        message: 'The total tokens of the prompt (70211) exceed the context length of the model: 65536',
        type: 'invalid_request',
      },
    },
    overflow,
    65_536,
  ],
  [
    'MiniMax, token limit',
    200,
    { base_resp: { status_code: 1039, status_msg: 'token limit exceeded (1039)' } },
    overflow,
    null,
  ],
  [
    'ModelScope',
    400,
    { errors: { message: '<400> InternalError.Algo.InvalidParameter: Range of input length should be [1, 98304]' } },
    overflow,
    98_304,
  ],
  [
    'a Chinese gateway, full width',
    400,
    { error: { message: '请求的上下文长度（140021）超过了模型的最大长度：131072' } },
    overflow,
    131_072,
  ],
  // Servers.
  [
    'vLLM, characters',
    400,
    {
      error: {
        message:
          "You passed 917505 input characters and requested 0 output tokens. However, the model's context length is only 131072 tokens, resulting in a maximum input length of 131072 tokens (at most 917504 characters). Please reduce the length of the input prompt. (parameter=input_text, value=917505)",
        code: 400,
      },
    },
    overflow,
    131_072,
  ],
  [
    'vLLM, tokens',
    400,
    {
      error: {
        message:
          "You passed 131073 input tokens and requested 0 output tokens. However, the model's context length is only 131072 tokens, resulting in a maximum input length of 131072 tokens. Please reduce the length of the input prompt.",
        code: 400,
      },
    },
    overflow,
    131_072,
  ],
  [
    'vLLM, setting in the text',
    400,
    { message: 'The prompt has 40211 tokens, but the engine was started with max_model_len=32768.', code: 400 },
    overflow,
    32_768,
  ],
  [
    'SGLang',
    400,
    {
      object: 'error',
      message:
        'Input length (40211 tokens) exceeds the maximum allowed length (32767 tokens). Use a shorter input or enable --allow-auto-truncate.',
      code: 400,
    },
    overflow,
    32_767,
  ],
  ['TensorRT-LLM', 500, { error: 'Prompt length (9000) + max_tokens (0) exceeds max_seq_len (8192)' }, overflow, 8_192],
  [
    'TensorRT-LLM, Triton',
    400,
    {
      error:
        'Encountered an error in forward function: prompt length (9000) exceeds maximum input length (8192). Set log level to info and check TRTGptModel logs for how maximum input length is set',
    },
    overflow,
    8_192,
  ],
  [
    'NVIDIA NIM',
    400,
    {
      object: 'error',
      message:
        "This model's maximum context length is 8192 tokens. However, you requested 9211 tokens in the messages, Please reduce the length of the messages.",
      type: 'BadRequestError',
    },
    overflow,
    8_192,
  ],
  [
    'MLC LLM',
    400,
    {
      object: 'error',
      message: 'Request prompt has 5012 tokens in total, larger than the model input length limit 4096.',
      code: null,
    },
    overflow,
    4_096,
  ],
  [
    'WebLLM',
    null,
    {
      name: 'ContextWindowSizeExceededError',
      message:
        'Prompt tokens exceed context window size: number of prompt tokens: 4338; context window size: 4096\nConsider shortening the prompt, or increase `context_window_size`, or using sliding window via `sliding_window_size`.',
    },
    overflow,
    4_096,
  ],
  [
    'llama.cpp',
    400,
    {
      error: {
        code: 400,
        message: 'request (13392 tokens) exceeds the available context size (8192 tokens), try increasing it',
        type: 'exceed_context_size_error',
        n_prompt_tokens: 13_392,
        n_ctx: 8_192,
      },
    },
    overflow,
    8_192,
  ],
  [
    'llama.cpp, slot',
    400,
    {
      content: '',
      error: {
        message:
          'the request exceeds the available context size. try increasing the context size or enable context shift',
        type: 'invalid_request_error',
      },
    },
    overflow,
    null,
  ],
  [
    'LM Studio',
    400,
    {
      error:
        'Reached context length of 4096 tokens, but this model does not support mid-generation context overflow. Try reloading with a larger context length or shortening the prompt/chat.',
    },
    overflow,
    4_096,
  ],
  [
    'KoboldCpp',
    400,
    { detail: { msg: 'Prompt too long. Max context is 4096 tokens, the prompt has 5012.', type: 'bad_input' } },
    overflow,
    4_096,
  ],
  ['text-generation-webui', 400, { detail: 'Prompt is too long for the context size: 9012 > 8192' }, overflow, 8_192],
  ['ExLlama, TabbyAPI', 400, { detail: 'Prompt length 9012 is greater than max_seq_len 8192' }, overflow, 8_192],
  [
    'Aphrodite',
    400,
    {
      message:
        "This model's maximum context length is 8192 tokens. However, you requested 9012 tokens (9012 in the prompt, 0 in the completion). Please reduce the length of the prompt or completion.",
    },
    overflow,
    8_192,
  ],
  ['Ollama', 400, { error: 'the prompt is too long: 9012 tokens, context length: 8192' }, overflow, 8_192],
  // Gateways and SDKs.
  [
    'LiteLLM',
    400,
    {
      error: {
        message:
          'litellm.ContextWindowExceededError: litellm.BadRequestError: ContextWindowExceededError: AnthropicException - {"type":"error","error":{"type":"invalid_request_error","message":"prompt is too long: 205000 tokens > 200000 maximum"}}',
        type: null,
        param: null,
        code: '400',
      },
    },
    overflow,
    200_000,
  ],
  [
    "OpenAI's Python SDK behind a gateway",
    400,
    {
      detail:
        "Error code: 400 - {'error': {'message': \"This model's maximum context length is 8192 tokens. However, your messages resulted in 8227 tokens.\", 'type': 'invalid_request_error', 'code': 'context_length_exceeded'}}",
    },
    overflow,
    8_192,
  ],
  [
    "Anthropic's SDK, its message alone",
    null,
    {
      message:
        '400 {"type":"error","error":{"type":"invalid_request_error","message":"prompt is too long: 205000 tokens > 200000 maximum"}}',
    },
    overflow,
    200_000,
  ],
  [
    'Portkey',
    400,
    {
      error: {
        message:
          "openai error: This model's maximum context length is 128000 tokens. However, your messages resulted in 140021 tokens. Please reduce the length of the messages.",
        type: 'invalid_request_error',
        code: 'context_length_exceeded',
      },
      provider: 'openai',
    },
    overflow,
    128_000,
  ],
  [
    'OpenRouter, Nvidia',
    400,
    {
      error: {
        message: 'Provider returned error',
        code: 400,
        metadata: {
          raw: '{"error":{"message":"This model\'s maximum context length is 262144 tokens. However, your messages resulted in 262897 tokens. Please reduce the length of the messages.","type":"Bad Request","code":400}}',
          provider_name: 'Nvidia',
        },
      },
    },
    overflow,
    262_144,
  ],
  [
    'OpenAI Codex, in a stream',
    null,
    {
      type: 'response.failed',
      response: {
        error: {
          code: 'context_length_exceeded',
          message: 'Your input exceeds the context window of this model. Please adjust your input and try again.',
        },
      },
    },
    overflow,
    null,
  ],
  [
    'a gateway in plain words',
    400,
    'Token limit reached: your conversation has 140,021 tokens but only 128,000 are allowed.',
    overflow,
    128_000,
  ],
  [
    'Groq, more than a minute allows',
    413,
    {
      error: {
        message:
          'Request too large for model `x` in organization `org` service tier `on_demand` on tokens per minute (TPM): Limit 6000, Requested 12089, please reduce your message size and try again.',
        type: 'tokens',
        code: 'rate_limit_exceeded',
      },
    },
    overflow,
    null,
  ],
  [
    'OpenAI, a rate that can never be met',
    429,
    {
      error: {
        message: 'Rate limit reached for gpt-x on tokens per min (TPM): Limit 30000, Used 100, Requested 41000.',
        type: 'tokens',
        code: 'rate_limit_exceeded',
      },
    },
    overflow,
    null,
  ],
  [
    'Anthropic, long context on a plan',
    429,
    {
      type: 'error',
      error: { type: 'rate_limit_error', message: 'Extra usage is required for long context requests.' },
    },
    overflow,
    null,
  ],
  // Output caps.
  [
    'vLLM, prompt in characters',
    400,
    {
      error: {
        message:
          "This model's maximum context length is 65536 tokens. However, you requested 65536 output tokens and your prompt contains 77409 characters (more than 0 characters, which is the upper bound for 0 input tokens). Please reduce the length of the input prompt or the number of requested output tokens. (parameter=input_text, value=77409)",
        code: 400,
      },
    },
    cap,
    65_536,
  ],
  [
    'a gateway, input and completion',
    400,
    {
      error: {
        message: 'Requested 20000 input tokens + 16000 completion tokens exceeds the context length of 32768 tokens',
      },
    },
    cap,
    32_768,
  ],
  [
    'a gateway, a sum with labels',
    400,
    { error: { message: 'prompt_tokens (20000) + max_tokens (16000) > context window (32768)' } },
    cap,
    32_768,
  ],
  [
    'Anthropic, available tokens',
    400,
    {
      error: {
        message: 'max_tokens: 32768 > context_window: 200000 - input_tokens: 190000 = available_tokens: 10000',
        type: 'invalid_request_error',
      },
    },
    cap,
    200_000,
  ],
  [
    'Bedrock Llama, schema',
    400,
    {
      message:
        'Malformed input request: #/max_gen_len: 4096 is not less or equal to 2048, please reformat your input and try again.',
    },
    cap,
    null,
  ],
  [
    'Bedrock Titan, schema',
    400,
    {
      message:
        'Malformed input request: #/textGenerationConfig/maxTokenCount: 9000 is not less or equal to 8192, please reformat your input and try again.',
    },
    cap,
    null,
  ],
  [
    'Mistral',
    422,
    {
      object: 'error',
      message: {
        detail: [
          {
            type: 'less_than_equal',
            loc: ['body', 'max_tokens'],
            msg: 'Input should be less than or equal to 32768',
            input: 99_999,
          },
        ],
      },
    },
    cap,
    null,
  ],
  [
    'xAI',
    400,
    { code: 'Client specified an invalid argument', error: 'max_tokens must be less than or equal to 131072' },
    cap,
    null,
  ],
  ['Together', 400, { error: { message: 'max_tokens must be at most 8192' } }, cap, null],
  [
    'Moonshot',
    400,
    { error: { message: 'Invalid request: max_tokens exceeds the limit of 32768', type: 'invalid_request_error' } },
    cap,
    null,
  ],
  [
    'Baidu Qianfan, output',
    400,
    { error_code: 336003, error_msg: 'max_output_tokens的取值范围为[2, 2048]' },
    cap,
    null,
  ],
  [
    'Gemini, output',
    400,
    {
      error: {
        code: 400,
        message:
          'Unable to submit request because it has a maxOutputTokens value of 100000 but the supported range is from 1 (inclusive) to 8193 (exclusive). Update the value and try again.',
        status: 'INVALID_ARGUMENT',
      },
    },
    cap,
    null,
  ],
  [
    'OpenAI, output',
    400,
    {
      error: {
        message:
          'max_completion_tokens is too large: 200000. This model supports at most 128000 completion tokens, whereas you provided 200000.',
        code: 'invalid_value',
      },
    },
    cap,
    null,
  ],
  // Bytes and images.
  [
    'a client that puts the status into its message',
    null,
    { name: 'APIStatusError', message: 'Error code: 413' },
    'payload-too-large',
    null,
  ],
  [
    'nginx',
    413,
    '<html>\r\n<head><title>413 Request Entity Too Large</title></head><body></body></html>',
    'payload-too-large',
    null,
  ],
  ['Express', 413, { name: 'PayloadTooLargeError', message: 'request entity too large' }, 'payload-too-large', null],
  [
    'gRPC',
    400,
    { error: { message: 'grpc: received message larger than max (22020096 vs. 4194304)' } },
    'payload-too-large',
    null,
  ],
  ['API Gateway', 413, { message: 'Request Too Long' }, 'payload-too-large', null],
  ['axum', 413, 'Failed to buffer the request body: length limit exceeded', 'payload-too-large', null],
  [
    'Bedrock image',
    400,
    {
      message: 'messages.0.content.1.image.source.bytes: image exceeds 3.75 MB maximum: 4194304 bytes > 3932160 bytes',
    },
    'image-too-large',
    null,
  ],
  [
    'Mistral, images',
    400,
    { message: 'Too many images in request. Maximum of 8 images allowed.', type: 'invalid_request' },
    'image-too-large',
    null,
  ],
  ['Zhipu image', 400, { error: { code: '1210', message: '图片大小超过5MB限制' } }, 'image-too-large', null],
];

/** Errors that mention tokens, lengths, limits or context, but that a shorter prompt does not fix. */
export const lookalikes: readonly Wording[] = [
  [
    'OpenAI, tokens per minute',
    429,
    {
      error: {
        message:
          'Rate limit reached for gpt-x on tokens per min (TPM): Limit 30000, Used 28000, Requested 4000. Please try again in 4s.',
        type: 'tokens',
        code: 'rate_limit_exceeded',
      },
    },
    'rate-limit',
  ],
  [
    'Anthropic, input tokens per minute',
    429,
    {
      type: 'error',
      error: {
        type: 'rate_limit_error',
        message: "This request would exceed your organization's rate limit of 40,000 input tokens per minute.",
      },
    },
    'rate-limit',
  ],
  [
    'Bedrock, throttling in words',
    429,
    { message: 'Throttling error: Too many tokens, please wait before trying again.' },
    'rate-limit',
  ],
  [
    'Gemini, quota of a metric',
    429,
    {
      error: {
        code: 429,
        message:
          'You exceeded your current quota. * Quota exceeded for metric: generativelanguage.googleapis.com/generate_content_free_tier_input_token_count, limit: 250000',
        status: 'RESOURCE_EXHAUSTED',
      },
    },
    'rate-limit',
  ],
  [
    'DashScope, rising too fast',
    429,
    {
      code: 'Throttling.BurstRate',
      message: 'Request rate increased too quickly. To ensure system stability, please adjust your client logic.',
    },
    'rate-limit',
  ],
  [
    'OpenAI, quota',
    429,
    {
      error: {
        message: 'You exceeded your current quota, please check your plan and billing details.',
        code: 'insufficient_quota',
      },
    },
    'access',
  ],
  [
    'LiteLLM budget',
    400,
    {
      error: {
        message: 'Budget has been exceeded! Current cost: 10.2, Max budget: 10.0',
        type: 'budget_exceeded',
        code: '400',
      },
    },
    'access',
  ],
  [
    'OpenRouter key limit',
    403,
    {
      error: {
        message: 'Key limit exceeded (total limit). Manage it using https://openrouter.ai/settings/keys',
        code: 403,
      },
    },
    'access',
  ],
  [
    'xAI key',
    400,
    {
      code: 'Client specified an invalid argument',
      error: 'Incorrect API key provided: xa***. You can obtain an API key from https://console.x.ai.',
    },
    'access',
  ],
  [
    'Anthropic beta',
    400,
    {
      error: {
        type: 'invalid_request_error',
        message: 'The long context beta is not yet available for this subscription.',
      },
    },
    'access',
  ],
  [
    'Azure content filter',
    400,
    {
      error: {
        message:
          "The response was filtered due to the prompt triggering Azure OpenAI's content management policy. Please modify your prompt and retry.",
        code: 'content_filter',
        innererror: { code: 'ResponsibleAIPolicyViolation' },
      },
    },
    invalid,
  ],
  [
    'Anthropic content filter',
    400,
    { error: { type: 'invalid_request_error', message: 'Output blocked by content filtering policy' } },
    invalid,
  ],
  [
    'OpenAI, schema of a tool',
    400,
    {
      error: {
        message:
          "Invalid schema for function 'read_file': In context=('properties', 'path'), 'maxLength' is not permitted.",
        code: 'invalid_function_parameters',
      },
    },
    invalid,
  ],
  [
    'OpenAI, name of a tool',
    400,
    {
      error: {
        message:
          "Invalid 'tools[0].function.name': string too long. Expected a string with maximum length 64, but got a string with length 71 instead.",
        code: 'string_above_max_length',
      },
    },
    invalid,
  ],
  [
    'OpenAI, stop sequences',
    400,
    {
      error: {
        message:
          "Invalid 'stop': array too long. Expected an array with maximum length 4, but got an array with length 5 instead.",
        code: 'array_above_max_length',
      },
    },
    invalid,
  ],
  [
    'OpenAI, unsupported parameter',
    400,
    {
      error: {
        message:
          "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.",
        code: 'unsupported_parameter',
      },
    },
    invalid,
  ],
  [
    'Anthropic, cache marks',
    400,
    {
      error: {
        type: 'invalid_request_error',
        message: 'A maximum of 4 blocks with cache_control may be provided. Found 5.',
      },
    },
    invalid,
  ],
  [
    'Anthropic, thinking budget',
    400,
    {
      error: {
        type: 'invalid_request_error',
        message: '`max_tokens` must be greater than `thinking.budget_tokens`. Please consult our documentation.',
      },
    },
    invalid,
  ],
  [
    'Anthropic, small thinking budget',
    400,
    {
      error: {
        type: 'invalid_request_error',
        message: 'thinking.enabled.budget_tokens: Input should be greater than or equal to 1024',
      },
    },
    invalid,
  ],
  [
    'Anthropic, empty text',
    400,
    { error: { type: 'invalid_request_error', message: 'messages: text content blocks must be non-empty' } },
    invalid,
  ],
  ['vLLM, no output asked for', 400, { message: 'max_tokens must be at least 1, got 0.', code: 400 }, invalid],
  [
    'vLLM, logprobs',
    400,
    { message: 'Requested sample logprobs of 30, which is greater than max allowed: 20', code: 400 },
    invalid,
  ],
  [
    'a server with a small model',
    400,
    { error: { message: 'Model context window too small (minimum is 128k tokens)' } },
    invalid,
  ],
  [
    'Gemini, bad argument',
    400,
    { error: { code: 400, message: 'Request contains an invalid argument.', status: 'INVALID_ARGUMENT' } },
    invalid,
  ],
  [
    'DeepSeek, a message without content',
    400,
    {
      error: {
        message:
          'Failed to deserialize the JSON body into the target type: messages[3]: missing field `content` at line 1 column 512',
        type: 'invalid_request_error',
      },
    },
    invalid,
  ],
  [
    'OpenAI, no such model',
    404,
    { error: { message: 'The model `x` does not exist or you do not have access to it.', code: 'model_not_found' } },
    invalid,
  ],
  [
    'a deadline',
    504,
    { error: { message: 'context deadline exceeded (Client.Timeout exceeded while awaiting headers)' } },
    'server',
  ],
  ['a proxy', 502, '<html><head><title>502 Bad Gateway</title></head></html>', 'server'],
  [
    'Moonshot, overloaded',
    429,
    {
      error: { type: 'engine_overloaded_error', message: 'The engine is currently overloaded, please try again later' },
    },
    'server',
  ],
  [
    'Anthropic, overloaded in a stream',
    null,
    { type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' } },
    'server',
  ],
  ['OpenAI, a timeout', null, { name: 'APIConnectionTimeoutError', message: 'Request timed out.' }, 'network'],
  [
    'undici',
    null,
    {
      name: 'TypeError',
      message: 'fetch failed',
      cause: { code: 'ECONNREFUSED', message: 'connect ECONNREFUSED 127.0.0.1:1' },
    },
    'network',
  ],
];
