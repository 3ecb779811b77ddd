import { amazonCode } from './amazon-code.ts';
import type { AnsweredCall, Behaviour, Received } from './behaviour.ts';
import { googleCode } from './google-code.ts';

export type Answer = Extract<Behaviour, { kind: 'answer' }>;

/** How a protocol formats answers and errors. */
export interface Protocol {
  readonly name: Received['protocol'];
  /** The path of its requests, or what matches it. */
  readonly path: string | RegExp;
  /** The whole answer as one JSON body. */
  whole(model: string, answer: Answer): unknown;
  /** The answer as formatted events. */
  events(model: string, answer: Answer): (string | Uint8Array)[];
  error(status: number, code: string, message: string, retryAfterSeconds?: number): unknown;
  /** An error inside a stream. */
  errorEvent(code: string): string | Uint8Array;
}

/** The default message of an error. */
export const sentence = (code: string): string => `The request failed: ${code}.`;
export const data = (value: unknown): string => `data: ${JSON.stringify(value)}\n\n`;
const named = (type: string, value: object): string => `event: ${type}\n${data({ type, ...value })}`;

/** Splits a text into this many pieces, never inside a surrogate pair. */
export function inPieces(text: string, count: number): string[] {
  const characters = Array.from(text);
  const size = Math.max(1, Math.ceil(characters.length / count));
  const pieces: string[] = [];
  for (let at = 0; at < characters.length; at += size) pieces.push(characters.slice(at, at + size).join(''));
  return pieces;
}

let completions = 0;

/** LangGraph replaces a message by a later one with the same id. */
const nextCompletionId = (): string => `chatcmpl-${++completions}`;

const openaiFinish = { stop: 'stop', length: 'length', refusal: 'content_filter', window: 'length' } as const;

/** OpenAI chat completions. */
export const openaiProtocol: Protocol = {
  name: 'openai',
  path: '/v1/chat/completions',
  whole: (model, answer) => ({
    id: nextCompletionId(),
    object: 'chat.completion',
    created: 1,
    model,
    choices: [
      {
        index: 0,
        finish_reason: answer.calls ? 'tool_calls' : openaiFinish[answer.finish ?? 'stop'],
        message: {
          role: 'assistant',
          content: answer.calls && answer.text === '' ? null : answer.text,
          refusal: null,
          ...(answer.calls ? { tool_calls: answer.calls.map(openaiCall) } : {}),
          ...(answer.reasoning ? { reasoning_content: answer.reasoning } : {}),
        },
      },
    ],
    usage: openaiUsage(answer),
  }),
  events(model, answer) {
    const id = nextCompletionId();
    const chunk = (choices: unknown[], usage: unknown = null): string =>
      data({ id, object: 'chat.completion.chunk', created: 1, model, choices, usage });
    const delta = (fields: object, finish: string | null = null): string =>
      chunk([{ index: 0, delta: fields, finish_reason: finish }]);
    return [
      delta({ role: 'assistant', content: '' }),
      ...(answer.reasoning ? [delta({ reasoning_content: answer.reasoning })] : []),
      ...inPieces(answer.text, answer.pieces ?? 5).map((content) => delta({ content })),
      ...(answer.calls ?? []).map((call, index) => delta({ tool_calls: [{ index, ...openaiCall(call) }] })),
      delta({}, answer.calls ? 'tool_calls' : openaiFinish[answer.finish ?? 'stop']),
      chunk([], openaiUsage(answer)),
      'data: [DONE]\n\n',
    ];
  },
  error: (status, code, message) => ({
    error: { message, type: status === 429 ? code : 'invalid_request_error', param: null, code },
  }),
  errorEvent: (code) => data({ error: { message: sentence(code), type: code, code } }),
};

function openaiCall({ id, name, arguments: given }: AnsweredCall): object {
  return { id, type: 'function', function: { name, arguments: given } };
}

function openaiUsage({ promptTokens = 0, completionTokens = 0, cachedTokens = 0 }: Answer): unknown {
  return {
    prompt_tokens: promptTokens,
    completion_tokens: completionTokens,
    total_tokens: promptTokens + completionTokens,
    prompt_tokens_details: { cached_tokens: cachedTokens },
  };
}

const anthropicStop = {
  stop: 'end_turn',
  length: 'max_tokens',
  refusal: 'refusal',
  window: 'model_context_window_exceeded',
} as const;

let messages = 0;

/** Claude Code takes messages with the same id for parts of one. */
const nextMessageId = (): string => `msg_${++messages}`;

/** Anthropic messages, also on Vertex. */
export const anthropicProtocol: Protocol = {
  name: 'anthropic',
  path: /^\/v1\/(?:messages|projects\/[^/]+\/locations\/[^/]+\/publishers\/anthropic\/models\/(?!count-tokens)[^/:]+:(?:streamR|r)awPredict)$/,
  whole: (model, answer) => ({
    id: nextMessageId(),
    type: 'message',
    role: 'assistant',
    model,
    content: [
      ...(answer.reasoning ? [{ type: 'thinking', thinking: answer.reasoning, signature: 'c2ln' }] : []),
      ...(answer.text === '' ? [] : [{ type: 'text', text: answer.text }]),
      ...(answer.calls ?? []).map(({ id, name, arguments: given }) => ({
        type: 'tool_use',
        id,
        name,
        input: JSON.parse(given) as unknown,
      })),
    ],
    stop_reason: answer.calls ? 'tool_use' : anthropicStop[answer.finish ?? 'stop'],
    stop_sequence: null,
    usage: anthropicUsage(answer),
  }),
  events(model, answer) {
    const message = {
      id: nextMessageId(),
      type: 'message',
      role: 'assistant',
      model,
      content: [],
      stop_reason: null,
      stop_sequence: null,
      usage: { ...anthropicUsage(answer), output_tokens: 1 },
    };
    const at = answer.reasoning ? 1 : 0;
    return [
      named('message_start', { message }),
      ...(answer.reasoning
        ? [
            named('content_block_start', {
              index: 0,
              content_block: { type: 'thinking', thinking: '', signature: '' },
            }),
            named('content_block_delta', { index: 0, delta: { type: 'thinking_delta', thinking: answer.reasoning } }),
            named('content_block_stop', { index: 0 }),
          ]
        : []),
      named('content_block_start', { index: at, content_block: { type: 'text', text: '' } }),
      named('ping', {}),
      ...inPieces(answer.text, answer.pieces ?? 5).map((text) =>
        named('content_block_delta', { index: at, delta: { type: 'text_delta', text } }),
      ),
      named('content_block_stop', { index: at }),
      ...(answer.calls ?? []).flatMap(({ id, name, arguments: given }, number) => [
        named('content_block_start', {
          index: at + 1 + number,
          content_block: { type: 'tool_use', id, name, input: {} },
        }),
        named('content_block_delta', {
          index: at + 1 + number,
          delta: { type: 'input_json_delta', partial_json: given },
        }),
        named('content_block_stop', { index: at + 1 + number }),
      ]),
      named('message_delta', {
        delta: {
          stop_reason: answer.calls ? 'tool_use' : anthropicStop[answer.finish ?? 'stop'],
          stop_sequence: null,
        },
        usage: { output_tokens: answer.completionTokens ?? 0 },
      }),
      named('message_stop', {}),
    ];
  },
  error: (_status, code, message) => ({ type: 'error', error: { type: code, message }, request_id: 'req_1' }),
  errorEvent: (code) => named('error', { error: { type: code, message: sentence(code) } }),
};

function anthropicUsage({ promptTokens = 0, completionTokens = 0, cachedTokens = 0 }: Answer): object {
  return {
    input_tokens: promptTokens - cachedTokens,
    output_tokens: completionTokens,
    cache_read_input_tokens: cachedTokens,
    cache_creation_input_tokens: 0,
  };
}

/** The default error type for a status. */
export function defaultCode(protocol: Received['protocol'], status: number): string {
  if (protocol === 'gemini') return googleCode(status);
  if (protocol.startsWith('bedrock')) return amazonCode(status);
  const words: Readonly<Record<number, readonly [openai: string, anthropic: string]>> = {
    400: ['invalid_request_error', 'invalid_request_error'],
    401: ['invalid_api_key', 'authentication_error'],
    402: ['insufficient_quota', 'billing_error'],
    403: ['permission_denied', 'permission_error'],
    404: ['model_not_found', 'not_found_error'],
    408: ['request_timeout', 'timeout_error'],
    413: ['request_too_large', 'request_too_large'],
    429: ['rate_limit_exceeded', 'rate_limit_error'],
    529: ['overloaded', 'overloaded_error'],
  };
  const anthropic = protocol === 'anthropic';
  return words[status]?.[anthropic ? 1 : 0] ?? (anthropic ? 'api_error' : 'server_error');
}
