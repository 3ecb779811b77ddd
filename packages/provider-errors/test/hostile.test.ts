import Anthropic from '@anthropic-ai/sdk';
import OpenAI from 'openai';
import { describe, expect, it } from 'vitest';
import { classifyProviderError } from '../src/index.ts';

const echoed = "This model's maximum context length is 600 tokens. However, your messages resulted in 900 tokens.";
const messages = [
  { role: 'user', content: 'Run it.' },
  { role: 'tool', tool_call_id: 'a', content: echoed },
];

describe('text of the request quoted in an error is ignored', () => {
  it.each<[string, number, unknown]>([
    [
      'the request beside the error',
      400,
      { error: { message: 'Invalid parameter: temperature' }, request: { messages }, messages },
    ],
    [
      'the request as the body of a gateway',
      400,
      { error: 'upstream rejected the request', body: { model: 'm', messages } },
    ],
    [
      'the request as JSON in a field',
      400,
      {
        error: 'upstream rejected the request',
        body: JSON.stringify({ model: 'm', messages }),
        data: JSON.stringify(messages),
      },
    ],
    [
      'the request as JSON in a sentence',
      400,
      { error: { message: `Cannot handle request: ${JSON.stringify({ messages })}` } },
    ],
    [
      'the request as a Python dict',
      400,
      { error: { message: `Bad input: [{'role': 'tool', 'content': "${echoed}"}]` } },
    ],
    [
      'the input of a validation error',
      422,
      {
        detail: [{ type: 'bool_type', loc: ['body', 'stream'], msg: 'Input should be a valid boolean', input: echoed }],
      },
    ],
    ['a quotation in a sentence', 400, { error: { message: `Invalid content: "${echoed}" is not allowed here` } }],
    [
      'an input_value of pydantic',
      400,
      {
        error: {
          message: `1 validation error: Input should be a valid dictionary [type=dict, input_value=${echoed}, input_type=str]`,
        },
      },
    ],
    [
      'a failed generation',
      400,
      { error: { message: 'Failed to call a function.', code: 'tool_use_failed', failed_generation: echoed } },
    ],
    [
      "a framework's debugging page",
      400,
      `<!DOCTYPE html><html><head><title>Bad Request</title></head><body><pre>${echoed}</pre></body></html>`,
    ],
    ['a long log', 400, `Upstream failed.\n${'frame\n'.repeat(600)}${echoed}\n${'frame\n'.repeat(600)}done`],
  ])('%s', (_, status, body) => {
    for (const form of [body, typeof body === 'string' ? body : JSON.stringify(body)])
      expect(classifyProviderError({ status, body: form })).toMatchObject({
        kind: 'invalid-request',
        limitTokens: null,
      });
  });

  it("but a provider's own words inside a gateway's error are read", () => {
    for (const message of [
      `Upstream error: "${echoed}"`,
      `openai returned: {"error": {"message": ${JSON.stringify(echoed)}}}`,
      `Error code: 400 - {'error': {'message': "${echoed}", 'type': 'invalid_request_error'}}`,
    ])
      expect(classifyProviderError({ status: 400, body: { error: { message } } })).toMatchObject({
        kind: 'context-overflow',
        limitTokens: 600,
      });
  });
});

describe('any error', () => {
  it('is classified, and none of its text is kept', () => {
    for (const odd of [undefined, null, 0, '', 'x', [], {}, () => 1, Symbol('x'), new Error('no'), 10n])
      expect(classifyProviderError(odd)).toMatchObject({ kind: 'unknown', limitTokens: null });
    const found = classifyProviderError({
      status: 400,
      body: { error: { message: 'The word swordfish is bad.', code: 'bad words here' } },
    });
    expect(JSON.stringify(found)).not.toMatch(/swordfish|bad words/);
    expect(classifyProviderError(new Error('no', { cause: { code: 'ECONNREFUSED' } }))).toMatchObject({
      code: 'ECONNREFUSED',
    });
  });

  it('is a cancellation if it states one, whatever else it contains', () => {
    const error = Object.assign(new Error('prompt is too long'), { name: 'AbortError' });
    expect(classifyProviderError(error).kind).toBe('cancelled');
    expect(classifyProviderError(new OpenAI.APIUserAbortError()).kind).toBe('cancelled');
    expect(classifyProviderError(new Anthropic.APIUserAbortError()).kind).toBe('cancelled');
    expect(classifyProviderError(new OpenAI.APIConnectionError({ message: 'Connection error.' })).kind).toBe('network');
  });

  it('may be cyclic, deep, or throw on reading', () => {
    const cyclic: Record<string, unknown> = { message: 'prompt is too long: 9000 tokens > 8000 maximum', status: 400 };
    cyclic.cause = cyclic;
    expect(classifyProviderError(cyclic)).toMatchObject({ kind: 'context-overflow', limitTokens: 8_000 });
    const throwing = {
      get message(): string {
        throw new Error('no');
      },
      status: 400,
    };
    expect(classifyProviderError(throwing).kind).toBe('invalid-request');
    let deep: unknown = { message: 'prompt is too long' };
    for (let level = 0; level < 10_000; level++) deep = { error: deep };
    expect(classifyProviderError(deep).kind).toBe('unknown');
    let nested = JSON.stringify({ message: 'prompt is too long' });
    for (let level = 0; level < 12; level++) nested = JSON.stringify({ error: nested.slice(0, 100_000) });
    expect(classifyProviderError({ status: 400, body: nested }).kind).toBe('invalid-request');
  });

  it('gives the time to wait, and the code', () => {
    const headers = new Headers({ 'retry-after': '20' });
    const error = OpenAI.APIError.generate(
      429,
      { error: { code: 'rate_limit_exceeded', message: 'Slow down' } },
      undefined,
      headers,
    );
    expect(classifyProviderError(error)).toMatchObject({
      kind: 'rate-limit',
      retryAfterMs: 20_000,
      code: 'rate_limit_exceeded',
    });
  });

  it('is read in linear time, however long it is', () => {
    const pieces = [
      'context length is ',
      'max_tokens [1, ',
      'input length ',
      '1,',
      '上下文',
      '(',
      'image ',
      '{"',
      "{'error': ",
      '"',
      "'a ",
      '[[',
      'prompt exceeds ',
      '\n',
      '<p>',
      '1 > ',
      'http://',
      'tokens (',
      'error: "',
    ];
    const cost = (size: number): number => {
      const started = process.cpuUsage().user;
      for (const piece of pieces)
        for (const status of [200, 400, 500])
          for (const body of [
            piece.repeat(size),
            JSON.stringify({ error: { message: piece.repeat(size) } }),
            `<html>${piece.repeat(size)}`,
          ])
            classifyProviderError({ status, body });
      return process.cpuUsage().user - started;
    };
    cost(200);
    const small = cost(20_000);
    // Ten times the length; a quadratic step would cost a hundred times as much.
    expect(cost(200_000)).toBeLessThan(Math.max(small * 30, 4_000_000));
  });
});

describe('kinds of content that a provider does not accept are distinguished', () => {
  it.each<[string, string, object]>([
    ['tool-content', 'a strict server', { error: { message: 'tool message content must be a string' } }],
    ['tool-content', 'Xiaomi MiMo', { error: { code: '400', message: 'Param Incorrect', param: 'text is not set' } }],
    ['tool-content', 'DashScope', { error: { message: 'tool_call.content must be string' } }],
    ['tool-content', 'a schema', { error: { message: 'messages[3].content: expected string, got list' } }],
    [
      'tool-content',
      'FastAPI',
      {
        detail: [
          {
            type: 'string_type',
            loc: ['body', 'messages', 3, 'content'],
            msg: 'Input should be a valid string',
            input: [{ type: 'text', text: 'x' }],
          },
        ],
      },
    ],
    [
      'tool-content',
      'serde',
      {
        error: {
          message:
            'Failed to deserialize the JSON body into the target type: messages[3]: invalid type: sequence, expected a string at line 1 column 512',
        },
      },
    ],
    [
      'tool-content',
      'OpenAI',
      {
        error: {
          message:
            "Invalid 'messages[2]'. Image URLs are only allowed for messages with role 'user', but this message with role 'tool' contains an image URL.",
        },
      },
    ],
    [
      'reasoning',
      'Anthropic',
      {
        error: {
          type: 'invalid_request_error',
          message: 'messages.1.content.0: Invalid `signature` in `thinking` block',
        },
      },
    ],
    [
      'reasoning',
      'Anthropic, modified',
      {
        error: {
          type: 'invalid_request_error',
          message:
            'messages.3.content.0: `thinking` or `redacted_thinking` blocks in the latest assistant message cannot be modified. These blocks must remain as they were in the original response.',
        },
      },
    ],
    [
      'reasoning',
      'OpenAI',
      {
        error: {
          message:
            'The encrypted content gAAAAB...5Q== could not be verified. Reason: Encrypted content could not be decrypted or parsed.',
          code: 'invalid_encrypted_content',
        },
      },
    ],
    [
      'reasoning',
      'OpenAI, a lone item',
      { error: { message: "Item 'rs_1' of type 'reasoning' was provided without its required following item." } },
    ],
    [
      'reasoning',
      'OpenAI, a lost item',
      {
        error: {
          message:
            "Item with id 'rs_68a' not found. Items are not persisted when `store` is set to false. Try again with `store` set to true, or remove this item from your input.",
        },
      },
    ],
    ['model', 'OpenAI', { error: { message: 'The model `x` does not exist', code: 'model_not_found' } }],
  ])('%s: %s', (about, _, body) => {
    expect(classifyProviderError({ status: 400, body })).toMatchObject({ kind: 'invalid-request', about });
  });

  it.each([
    'tool content must be a string',
    'Tool messages only support string content',
    'tool messages must contain string content',
    "messages with role 'tool' must have string content",
    'The content of a tool message has to be a string.',
    "'messages.3' : for 'role:tool' the following must be satisfied[('messages.3.content' : value must be a string)]",
    'json: cannot unmarshal array into Go struct field Message.messages.content of type string',
    'Expected string for tool message content, received array',
    'tool message content must be text, got list',
    "Invalid type for 'messages[2].content': expected a string, but got an array instead.",
    "'content' must be a string",
    'Arrays are not supported as the content of tool results; a list is not accepted as tool content.',
  ])('content has to be a string: %s', (message) => {
    expect(classifyProviderError({ status: 400, body: { error: { message } } }).about).toBe('tool-content');
  });

  it.each([
    'tool_call_id must be a string',
    "Invalid type for 'tools[0].function.description': expected a string, but got an object instead.",
    'tool_calls[0].function.arguments must be a string',
    'messages.2.content must not be an empty string',
    'messages.1.content: expected a string with maximum length 4096',
    'temperature must be a number',
  ])('another field is refused: %s', (message) => {
    expect(classifyProviderError({ status: 400, body: { error: { message } } }).about).not.toBe('tool-content');
  });
});
