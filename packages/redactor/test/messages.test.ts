import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createRedactor, redactMessages } from '../src/index.ts';
import { alphanumeric, TOKENS } from './token-maker.ts';

const key = `ghp_${alphanumeric(36)}`;

describe('redactMessages', () => {
  it('returns the same array when nothing is secret', () => {
    const messages = [
      { role: 'user', content: 'hello' },
      { role: 'assistant', content: [{ type: 'text', text: 'hi' }] },
    ];
    expect(redactMessages(messages)).toBe(messages);
  });

  it('leaves untouched messages the same objects, and does not mutate the others', () => {
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

  it('redacts parts, reasoning and arguments, which stay JSON', () => {
    const messages = [
      {
        role: 'assistant',
        content: [
          { type: 'text', text: key },
          { type: 'image_url', image_url: { url: `data:image/png;base64,${key}` } },
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

  it('reads the names of fields in native tool input', () => {
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
