import type { ProviderErrorKind } from '../src/index.ts';

const O = 'context-overflow';

/** Invented wordings of servers we do not know: status, message or body, kind, stated limit in tokens. */
export const paraphrases: readonly (readonly [
  status: number | null,
  body: string | object,
  kind: ProviderErrorKind,
  limitTokens?: number | null,
])[] = [
  [400, 'Input exceeds the maximum context length of 32,768 tokens', O, 32768],
  [400, 'The request has 40,211 tokens which is more than the 32,768 token limit of this model.', O, 32768],
  [400, 'Your prompt uses 140K tokens; the model accepts at most 128K.', O, 128000],
  [400, 'Conversation too long for model: 9012/8192 tokens', O, 8192],
  [400, 'This model only supports a context of 8192 tokens but 9012 were given', O, 8192],
  [400, 'Total tokens 140021 exceeds model context window 131072', O, 131072],
  [400, 'context length exceeded: 140021 > 131072', O, 131072],
  [400, 'Max context length for this model is 131072, got 140021', O, 131072],
  [400, "The number of tokens in the prompt (9012) exceeds the model's limit (8192).", O, 8192],
  [400, 'Prompt of 9012 tokens does not fit in context window of 8192 tokens', O, 8192],
  [400, 'input tokens (9012) must be <= 8192', O, 8192],
  [400, 'Input is too long. Max length: 8192 tokens, actual: 9012 tokens', O, 8192],
  [400, 'Please shorten your prompt.', O, null],
  [400, 'Model context limit is 8192 tokens, your request contains 9012 tokens.', O, 8192],
  [400, 'Requested 9012 tokens but context window of model is 8192', O, 8192],
  [400, 'prompt_tokens: 9012, context_length: 8192, error: context overflow', O, 8192],
  [400, 'Sequence length 9012 exceeds maximum sequence length 8192', O, 8192],
  [
    400,
    'Token indices sequence length is longer than the specified maximum sequence length for this model (9012 > 8192).',
    O,
    8192,
  ],
  [400, '模型最大上下文长度为 8192 tokens，当前输入 9012 tokens', O, 8192],
  [400, '输入token数9012超过模型限制8192', O, 8192],
  [400, 'message too long: the chat history exceeds the limit', O, null],
  [500, 'Request exceeds maximum context length: 9012 > 8192', O, 8192],
  [500, { error: { message: 'llama_decode: prompt is too long (9012 tokens, max 8188)' } }, O, 8188],
  [400, "the request's input length 9012 + requested output 512 exceeds the context length 8192", O, 8192],
  [400, 'Input length (7000) plus max_tokens (4096) exceeds context length 8192', 'output-cap', 8192],
  [400, "max_tokens (200000) is larger than the model's context window (131072)", 'output-cap'],
  [400, "You requested 20000 completion tokens but this model's maximum output is 8192 tokens", 'output-cap'],
  [400, "Invalid value for 'max_output_tokens': maximum is 65536", 'output-cap'],
  [400, 'max_new_tokens must be <= 2048', 'output-cap'],
  [400, 'The maximum number of output tokens for this model is 8192, but 20000 were requested', 'output-cap'],
  [400, 'max_tokens 必须小于等于 8192', 'output-cap'],
  [400, 'The value of max_tokens must be in the range [1, 8192]', 'output-cap'],
  [400, 'image too large: 9000x9000 exceeds 8000x8000', 'image-too-large'],
  [400, 'Image dimensions exceed 8000 pixels', 'image-too-large'],
  [413, '', 'payload-too-large'],
  [413, { error: { message: 'Request body too large. Maximum size is 4MB.' } }, 'payload-too-large'],
  [400, { error: { message: 'Request size exceeds 20MB' } }, 'payload-too-large'],
  [413, { error: { message: 'prompt is too long: 9012 tokens > 8192 maximum' } }, O, 8192],
  [400, { error: { message: 'Too many tools: 140 (maximum 128)' } }, 'invalid-request'],
  [
    400,
    { error: { message: 'messages.2.content.0.tool_use.name: String should have at most 200 characters' } },
    'invalid-request',
  ],
  [
    400,
    { error: { message: 'tools.0.custom.description: String should have at most 1024 characters' } },
    'invalid-request',
  ],
  [400, { error: { message: 'metadata.user_id: string too long, max 256 characters, got 300' } }, 'invalid-request'],
  [400, { error: { message: 'This request exceeds the batch limit: Maximum 2048 inputs' } }, 'invalid-request'],
  [400, { error: { message: 'token expired' } }, 'access'],
  [400, { error: { message: 'Unable to parse the request body' } }, 'invalid-request'],
  [
    400,
    { error: { message: 'Function call is missing a thought_signature in functionCall parts.' } },
    'invalid-request',
  ],
  [
    429,
    {
      error: {
        message: 'Rate limit exceeded: free-models-per-day. Add 10 credits to unlock 1000 free model requests per day',
        code: 429,
      },
    },
    'rate-limit',
  ],
  [
    429,
    {
      type: 'error',
      error: {
        type: 'rate_limit_error',
        message:
          'Number of request tokens has exceeded your per-minute rate limit (https://docs.anthropic.com/claude/reference/rate-limits); see the response headers for current usage. Please reduce the prompt length or the maximum tokens requested, or try again later.',
      },
    },
    'rate-limit',
  ],
  [
    429,
    { error: { message: "This request would exceed your account's rate limit. Please try again later." } },
    'rate-limit',
  ],
  [429, { message: 'Requests rate limit exceeded' }, 'rate-limit'],
  [
    429,
    {
      error: {
        message:
          'Your account org-x<ak> is suspended due to insufficient balance, please recharge your account or check your plan and billing details',
        type: 'exceeded_current_quota_error',
      },
    },
    'access',
  ],
  [
    400,
    {
      type: 'error',
      error: {
        type: 'invalid_request_error',
        message: 'You have reached your specified API usage limits. You will regain access on 2025-07-01 at 00:00 UTC.',
      },
    },
    'access',
  ],
  [
    400,
    { error: { message: 'User location is not supported for the API use.', status: 'FAILED_PRECONDITION' } },
    'access',
  ],
  [404, { error: { type: 'not_found_error', message: 'model: claude-x' } }, 'invalid-request'],
  [
    400,
    {
      error: {
        message: 'Expected last role User or Tool (or Assistant with prefix True) for serving but got assistant',
      },
    },
    'invalid-request',
  ],
  [
    500,
    {
      error: {
        message:
          'The server had an error processing your request. Please reduce the length of your prompt if this persists.',
      },
    },
    'server',
  ],
  [
    503,
    {
      error: {
        message: 'Service is too busy. We advise users to temporarily switch to alternative LLM API service providers.',
      },
    },
    'server',
  ],
  [null, { name: 'ServiceUnavailableException', message: 'Bedrock is unable to process your request.' }, 'server'],
  [
    null,
    {
      name: 'InternalServerException',
      message: 'The system encountered an unexpected error during processing. Try your request again.',
    },
    'server',
  ],
  [null, { name: 'ModelStreamErrorException', message: 'The model produced invalid sequence' }, 'server'],
  [
    null,
    { name: 'AccessDeniedException', message: "You don't have access to the model with the specified model ID." },
    'access',
  ],
  [424, { message: 'The request failed due to an error while processing the model.' }, 'invalid-request'],
  [200, { type: 'error', error: { type: 'rate_limit_error', message: 'x' } }, 'rate-limit'],
  [200, { code: '1302', msg: '您当前使用该API的并发数过高，请降低并发' }, 'rate-limit'],
  [200, { base_resp: { status_code: 1002, status_msg: 'rate limit' } }, 'rate-limit'],
  [200, { base_resp: { status_code: 1004, status_msg: 'login fail: Please carry the API secret key' } }, 'access'],
  [200, { base_resp: { status_code: 2013, status_msg: 'invalid params' } }, 'invalid-request'],
];
