import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createRedactor, inspect, redact, redactMessages, redactValue } from '../src/index.ts';
import { alphanumeric, pem, TOKENS } from './token-maker.ts';

const key = `ghp_${alphanumeric(36)}`;

describe('redactMessages', () => {
  it('returns the same array if there is no secret', () => {
    const messages = [
      { role: 'user', content: 'hello' },
      { role: 'assistant', content: [{ type: 'text', text: 'hi' }] },
    ];
    expect(redactMessages(messages)).toBe(messages);
  });

  it('returns the same objects for unchanged messages, and does not mutate the others', () => {
    const messages = [
      { role: 'user', content: 'hello' },
      { role: 'tool', tool_call_id: 'a', content: `got ${key}` },
    ] as const;
    const before = structuredClone(messages);
    const result = redactMessages(messages);
    expect(messages).toEqual(before);
    expect(result[0]).toBe(messages[0]);
    expect(result[1]!.content).toBe(`got ${key.slice(0, 6)}...${key.slice(-4)}`);
  });

  it('redacts parts, reasoning and arguments, which stay valid JSON', () => {
    const messages = [
      {
        role: 'assistant',
        content: [
          { type: 'text', text: key },
          { type: 'image_url', image_url: { url: `data:image/png;base64,${alphanumeric(200)}` } },
        ],
        reasoning_content: `the key is ${key}`,
        tool_calls: [
          {
            id: key,
            type: 'function',
            function: {
              name: 'f',
              arguments: JSON.stringify({ password: 123456789012345678n.toString(), n: 1, k: key }),
            },
          },
        ],
      },
    ];
    const [message] = redactMessages(messages);
    expect(JSON.stringify(message!.content[0])).not.toContain(key);
    expect(message!.content[1]).toBe(messages[0]!.content[1]);
    expect(message!.reasoning_content).not.toContain(key);
    expect(message!.tool_calls[0]!.id).toBe(key);
    expect(JSON.parse(message!.tool_calls[0]!.function.arguments)).toMatchObject({ password: '123456...', n: 1 });
  });

  it('uses the field names of tool input that is an object', () => {
    const messages = [
      {
        role: 'assistant',
        content: [
          {
            type: 'tool_use',
            id: 't',
            name: 'login',
            input: { user: 'ann', password: 'hunter2!', max_tokens: '4096' },
          },
        ],
      },
    ];
    expect(redactMessages(messages)[0]!.content[0]!.input).toEqual({
      user: 'ann',
      password: '***',
      max_tokens: '4096',
    });
    expect(createRedactor({ mode: 'known' }).redactMessages(messages)).toBe(messages);
  });

  it('keeps the arguments of any tool call valid JSON', () => {
    const value = fc.oneof(
      fc.jsonValue(),
      fc.record({
        password: fc.oneof(fc.string(), fc.maxSafeInteger()),
        text: fc.constantFrom(...Object.values(TOKENS)),
      }),
    );
    fc.assert(
      fc.property(value, (input) => {
        const messages = [{ role: 'assistant', tool_calls: [{ function: { arguments: JSON.stringify(input) } }] }];
        JSON.parse(redactMessages(messages)[0]!.tool_calls[0]!.function.arguments);
      }),
      { numRuns: 200 },
    );
  });
});

describe('redactMessages finds secrets', () => {
  const text = (input: unknown): string => JSON.stringify(input);

  it('in every field except protocol fields', () => {
    const message = { role: 'user', id: 'm1', session_id: key, client_id: key, meta: { trace_id: [key] } };
    const [result] = redactMessages([message]);
    expect(text(result)).not.toContain(key);
    expect(result).toMatchObject({ role: 'user', id: 'm1' });
  });

  it('in every field of tool inputs and results', () => {
    const input = { id: key, type: key, signature: key, call_id: key };
    const messages = [
      { role: 'assistant', content: [{ type: 'tool_use', id: key, name: 'f', input }] },
      { type: 'function_call_output', call_id: key, output: [{ type: 'x', id: key }] },
    ];
    const [call, result] = redactMessages(messages) as unknown as [
      { content: [{ id: string; input: object }] },
      { call_id: string; output: object },
    ];
    expect(call.content[0].id).toBe(key);
    expect(result.call_id).toBe(key);
    expect(text([call.content[0].input, result.output])).not.toContain(key);
  });

  it('in object keys, and keeps keys apart that have the same mask', () => {
    const other = key.slice(0, 10) + key.slice(10).toUpperCase();
    const [result] = redactMessages([{ [key]: 1, [`${key.slice(0, -6)}AAAA${key.slice(-2)}`]: 2, [other]: 3 }]);
    expect(Object.values(result!)).toEqual([1, 2, 3]);
    expect(text(result)).not.toContain(key.slice(6, 20));
  });

  it('in text that begins like an embedded file', () => {
    const begins = `data:text/plain;base64,aGVsbG8= and the token is ${key}`;
    expect(redactMessages([{ content: begins }])[0]!.content).not.toContain(key);
    const file = `data:image/png;base64,${alphanumeric(400)}`;
    const messages = [{ content: file }];
    expect(redactMessages(messages)).toBe(messages);
  });

  it('that are split over two parts of one message', () => {
    for (let cut = 1; cut < key.length; cut += 1) {
      const messages = [
        {
          role: 'user',
          content: [
            { type: 'text', text: `use ${key.slice(0, cut)}` },
            { type: 'image_url', image_url: { url: 'https://example.com/a.png' } },
            { type: 'text', text: `${key.slice(cut)} for it` },
          ],
        },
      ];
      const [first, image, last] = redactMessages(messages)[0]!.content;
      // A piece that is itself a valid token gets the mask of a token.
      expect(`${first!.text}${last!.text}`).toMatch(/^use (?:\*{3}|ghp_\w{2}\.{3}\w{0,4})(?:\*{3}|\w{1,4}) for it$/);
      expect(image).toBe(messages[0]!.content[1]);
    }
    const named = redactMessages([{ content: ['the password: ', 'hunter2!x', ' and more'] }]);
    expect(named[0]!.content).toEqual(['the password: ', '***', ' and more']);
    const lines = pem().split('\n');
    const halves = [{ text: lines.slice(0, 4).join('\n') }, { text: `\n${lines.slice(4).join('\n')}` }];
    expect(text(redactMessages([{ content: halves }]))).not.toContain(lines[5]!.slice(0, 12));
    const apart = [{ content: [{ text: `one ${key}` }, { text: `two ${key}` }] }];
    const mask = `${key.slice(0, 6)}...${key.slice(-4)}`;
    expect(redactMessages(apart)[0]!.content).toEqual([{ text: `one ${mask}` }, { text: `two ${mask}` }]);
  });

  it('in values that another field names, and in numbers', () => {
    const env = [
      { name: 'DB_PASSWORD', value: 'hunter2!x' },
      { name: 'PORT', value: '8080' },
    ];
    expect(redactValue({ env, password: 12345678901234567n.toString(), pin: 1, token: 1234567890123456 })).toEqual({
      env: [{ name: 'DB_PASSWORD', value: '***' }, env[1]],
      password: '***',
      pin: 1,
      token: '***',
    });
  });
});

describe('values of any shape', () => {
  it('may contain cycles, which are preserved in the copy', () => {
    interface Node {
      readonly name: string;
      self?: Node;
      list?: Node[];
    }
    const node: Node = { name: key };
    node.self = node;
    node.list = [node];
    const result = redactValue(node);
    expect(result.name).not.toContain(key);
    expect(result.self).toBe(result);
    expect(result.list![0]).toBe(result);
    expect(node.name).toBe(key);
    const harmless: { self?: unknown; name: string } = { name: 'hello' };
    harmless.self = harmless;
    expect(redactValue(harmless)).toBe(harmless);
    expect(redactMessages([harmless])).toHaveLength(1);
  });

  it('may be of any depth', () => {
    let deep: unknown = key;
    for (let level = 0; level < 100_000; level += 1) deep = level % 2 === 0 ? [deep] : { deep };
    let result: unknown = redactValue(deep);
    while (typeof result === 'object') result = Object.values(result as object)[0];
    expect(result).not.toContain(key);
  });

  it('may be primitives', () => {
    for (const value of [null, undefined, 1, true, '']) {
      expect(redactMessages(value as never)).toBe(value);
      expect(redactValue(value)).toBe(value);
    }
    expect(redactMessages([null, undefined, 'x'])).toEqual([null, undefined, 'x']);
    expect(redactValue(key)).not.toContain(key);
    const mixed = { at: new Date(0), bytes: new Uint8Array(3), none: null };
    expect(redactValue(mixed)).toBe(mixed);
  });

  it('may have a property named __proto__, which stays a property', () => {
    const value = JSON.parse(`{"__proto__": {"token": "${key}"}, "a": 1}`) as object;
    const result = redactValue(value);
    expect(Object.getPrototypeOf(result)).toBe(Object.prototype);
    expect(JSON.stringify(result)).not.toContain(key);
    expect(Object.keys(result)).toEqual(['__proto__', 'a']);
  });

  it('are redacted once per object, however often it is referenced', () => {
    let shared: object = { token: key };
    for (let level = 0; level < 60; level += 1) shared = { left: shared, right: shared };
    const result = redactValue(shared) as { left: object; right: object };
    expect(result.left).toBe(result.right);
  });
});

describe('input that is not a string', () => {
  it('does not throw', () => {
    expect(redact(null as never)).toBe(null);
    expect(redact(undefined as never)).toBe(undefined);
    expect(inspect(null as never)).toEqual([]);
    expect(redact(42 as never)).toBe('42');
    expect(redact(new Error(`failed with ${key}`) as never)).not.toContain(key);
    expect(redact(Buffer.from(key) as never)).not.toContain(key);
    expect(redact(Object.create(null) as never)).toBe('');
  });
});
