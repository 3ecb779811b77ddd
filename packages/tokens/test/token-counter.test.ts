import type { Message, TokenCounter } from '@palimpsest/core';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createExactTokenCounter } from '../src/exact.ts';
import { createTokenCounter, estimateTokens, type TokenCounterOptions } from '../src/index.ts';
import { base64, dataUrl, pngBytes } from './image-bytes.ts';

/** A counter that records its inputs. */
function recording(options: TokenCounterOptions = {}) {
  const asked: string[] = [];
  const countText = (text: string): number => {
    asked.push(text);
    return estimateTokens(text);
  };
  return { asked, counter: createTokenCounter({ ...options, countText }) };
}

const call = (name: string, input: string, id = 'call_1') => ({
  id,
  type: 'function' as const,
  function: { name, arguments: input },
});
const screenshot = dataUrl(
  Uint8Array.from([...pngBytes(1280, 720), ...new Uint8Array(780_000).map((_, at) => (at * 31 + (at >> 7)) % 251)]),
  'image/png',
);
const bare = screenshot.slice(screenshot.indexOf(',') + 1);

describe('a message', () => {
  it('costs its content, name, tool calls with their ids, and an envelope', () => {
    const counter: TokenCounter = createTokenCounter();
    const text = counter.countMessage({ role: 'user', content: 'What is the weather in Paris today?' });
    expect(text).toBeGreaterThan(counter.countText('What is the weather in Paris today?'));
    expect(
      counter.countMessage({
        role: 'user',
        content: 'What is the weather in Paris today?',
        name: 'alice_from_support',
      }),
    ).toBeGreaterThan(text);
    const { asked, counter: recorded } = recording();
    recorded.countMessage({
      role: 'assistant',
      content: null,
      tool_calls: [call('get_weather', '{"city":"Paris"}', 'call_abc')],
    });
    recorded.countMessage({
      role: 'assistant',
      tool_calls: [{ id: 'c2', type: 'custom', custom: { name: 'shell', input: 'ls -la' } }],
    });
    recorded.countMessage({ role: 'tool', tool_call_id: 'call_abc', content: 'sunny' });
    for (const part of ['call_abc', 'get_weather', '{"city":"Paris"}', 'c2', 'shell', 'ls -la', 'sunny'])
      expect(asked).toContain(part);
  });

  it('includes reasoning only with the option', () => {
    const counter = createTokenCounter();
    const thought = 'I should look at the configuration first, then at the logs. '.repeat(20);
    for (const message of [
      { role: 'assistant', content: 'Done.', reasoning_content: thought },
      { role: 'assistant', content: 'Done.', reasoning: thought },
      {
        role: 'assistant',
        content: [
          { type: 'thinking', thinking: thought, signature: 'x'.repeat(4000) },
          { type: 'text', text: 'Done.' },
        ],
      },
    ] as unknown as Message[]) {
      const without = counter.countMessage(message);
      expect(without).toBe(counter.countMessage({ role: 'assistant', content: 'Done.' }));
      expect(
        Math.abs(counter.countMessage(message, { reasoning: true }) - without - counter.countText(thought)),
      ).toBeLessThanOrEqual(1);
    }
  });

  it('does not count signatures, encrypted reasoning and metadata', () => {
    const counter = createTokenCounter();
    const blob = base64(Uint8Array.from({ length: 30_000 }, (_, at) => (at * 97) % 256));
    for (const part of [
      { type: 'thinking', thinking: '', signature: blob },
      { type: 'redacted_thinking', data: blob },
      { type: 'reasoning', text: '', providerOptions: { anthropic: { signature: blob } } },
      { type: 'compaction', encrypted_content: blob },
      { type: 'unheard_of', payload: blob },
    ]) {
      const message = { role: 'assistant', content: [{ type: 'text', text: 'Hi.' }, part] } as unknown as Message;
      expect(counter.countMessage(message, { reasoning: true }), part.type).toBeLessThan(40);
    }
  });

  it('counts Anthropic’s and the AI SDK’s tool parts like tool calls and results', () => {
    const { asked, counter } = recording();
    counter.countMessage({
      role: 'assistant',
      content: [
        { type: 'tool_use', id: 'toolu_1', name: 'read_file', input: { path: '/etc/hosts' } },
        { type: 'tool-call', toolCallId: 'tc_9', toolName: 'grep', input: { pattern: 'localhost' } },
        { type: 'tool_result', tool_use_id: 'toolu_1', content: [{ type: 'text', text: '127.0.0.1 localhost' }] },
        { type: 'tool-result', toolCallId: 'tc_9', toolName: 'grep', output: { type: 'json', value: { lines: 3 } } },
      ],
    } as unknown as Message);
    for (const part of [
      'toolu_1',
      'read_file',
      '{"path":"/etc/hosts"}',
      'tc_9',
      'grep',
      '{"pattern":"localhost"}',
      '127.0.0.1 localhost',
      '{"lines":3}',
    ]) {
      expect(asked).toContain(part);
    }
  });
});

describe('a 1 MB screenshot', () => {
  const shapes: Readonly<Record<string, unknown>> = {
    'an OpenAI image part': { role: 'user', content: [{ type: 'image_url', image_url: { url: screenshot } }] },
    'a Responses image part': { role: 'user', content: [{ type: 'input_image', image_url: screenshot }] },
    'an Anthropic image part': {
      role: 'user',
      content: [{ type: 'image', source: { type: 'base64', media_type: 'image/png', data: bare } }],
    },
    'an AI SDK image part': { role: 'user', content: [{ type: 'image', image: bare, mediaType: 'image/png' }] },
    'an image part of raw bytes': { role: 'user', content: [{ type: 'image', image: new Uint8Array(780_000) }] },
    'a Gemini part': { role: 'user', content: [{ inlineData: { mimeType: 'image/png', data: bare } }] },
    'a file part': { role: 'user', content: [{ type: 'file', file: { filename: 'a.png', file_data: screenshot } }] },
    'a part of unknown type with a data URL': {
      role: 'user',
      content: [{ type: 'snapshot', picture: { href: screenshot } }],
    },
    'an image in a tool result part': {
      role: 'user',
      content: [
        {
          type: 'tool_result',
          tool_use_id: 't',
          content: [{ type: 'image', source: { type: 'base64', media_type: 'image/png', data: bare } }],
        },
      ],
    },
    'an AI SDK tool result': {
      role: 'tool',
      content: [
        {
          type: 'tool-result',
          toolCallId: 't',
          output: { type: 'content', value: [{ type: 'media', data: bare, mediaType: 'image/png' }] },
        },
      ],
    },
    'a tool message of parts': {
      role: 'tool',
      tool_call_id: 't',
      content: [{ type: 'image_url', image_url: { url: screenshot } }],
    },
  };
  for (const [shape, message] of Object.entries(shapes)) {
    it(`adds one image as ${shape}`, () => {
      const counter = createTokenCounter();
      const tokens = counter.countMessage(message as Message);
      expect(tokens).toBeGreaterThanOrEqual(1600);
      expect(tokens).toBeLessThan(1600 + 80);
    });
  }

  it('is passed to the injected cost function with its properties', () => {
    const seen: unknown[] = [];
    const counter = createTokenCounter({
      binaryCost: (binary) => {
        seen.push({ ...binary, source: binary.source.slice(0, 22) });
        return 500;
      },
    });
    expect(
      counter.countMessage({
        role: 'user',
        content: [{ type: 'image_url', image_url: { url: screenshot, detail: 'low' } }],
      } as unknown as Message),
    ).toBe(504);
    expect(seen).toEqual([{ source: 'data:image/png;base64,', bytes: undefined, mediaType: undefined, detail: 'low' }]);
  });

  const texts: Readonly<Record<string, unknown>> = {
    'a data URL in text': { role: 'user', content: `Look at this: ![page](${screenshot}) and tell me.` },
    'stringified JSON with a data URL': {
      role: 'tool',
      tool_call_id: 't',
      content: JSON.stringify({ ok: true, image: screenshot }),
    },
    'stringified JSON inside stringified JSON': {
      role: 'tool',
      tool_call_id: 't',
      content: JSON.stringify(JSON.stringify({ image: screenshot })),
    },
    'stringified JSON of an image part': {
      role: 'tool',
      tool_call_id: 't',
      content: JSON.stringify([{ type: 'image', source: { type: 'base64', media_type: 'image/png', data: bare } }]),
    },
    'stringified JSON of an MCP result': {
      role: 'tool',
      tool_call_id: 't',
      content: JSON.stringify({ content: [{ type: 'image', data: bare, mimeType: 'image/png' }] }),
    },
    'the bare base64 of it': { role: 'tool', tool_call_id: 't', content: bare },
    'wrapped base64 in a data URL': {
      role: 'tool',
      tool_call_id: 't',
      content: `data:image/png;base64,${bare.replace(/.{76}/g, '$&\n')}`,
    },
    'a tool call’s arguments': {
      role: 'assistant',
      content: null,
      tool_calls: [call('upload', JSON.stringify({ image: screenshot }))],
    },
    'a notebook that was read': {
      role: 'tool',
      tool_call_id: 't',
      content: JSON.stringify({ cells: [{ outputs: [{ data: { 'image/png': bare } }] }] }),
    },
    'a style sheet': { role: 'user', content: `a { background: url(${screenshot}) }` },
  };
  for (const [shape, message] of Object.entries(texts))
    it(`counts as text in ${shape}`, () => {
      const counter = createTokenCounter();
      // Base64 has 1.2 to 1.6 characters per token.
      const length = JSON.stringify(message).length;
      expect(counter.countMessage(message as Message)).toBeGreaterThan(length / 1.8);
      expect(counter.countMessage(message as Message)).toBeLessThan(length);
    });

  it('counts a small data URL in text as text', () => {
    const counter = createTokenCounter();
    expect(
      counter.countText(
        'An icon: data:image/gif;base64,R0lGODlhAQABAAAAACH5BAEKAAEALAAAAAABAAEAAAICTAEAOw== fits in a line.',
      ),
    ).toBeLessThan(80);
  });
});

describe('a conversation', () => {
  const turns = (count: number): Message[] =>
    Array.from(
      { length: count },
      (_, at): Message =>
        at % 4 === 0
          ? { role: 'user', content: `Please look at file number ${at}.` }
          : at % 4 === 1
            ? {
                role: 'assistant',
                content: null,
                reasoning_content: `Thinking about ${at}.`,
                tool_calls: [call('read', `{"file":${at}}`)],
              }
            : at % 4 === 2
              ? { role: 'tool', tool_call_id: 'call_1', content: `contents of ${at}` }
              : { role: 'assistant', content: `Here is what I found in ${at}.`, reasoning_content: `It is ${at}.` },
    );

  it('costs the sum of its messages, with the reasoning of only the newest turn', () => {
    const { counter } = recording();
    const messages = turns(8);
    const sum = messages.reduce(
      (total, message, at) => total + counter.countMessage(message, { reasoning: at > 4 }),
      0,
    );
    expect(counter.countMessages(messages)).toBe(sum);
  });

  it('is counted the same if counted at once, extended, shortened, edited, or by another counter', () => {
    const edit = fc.record({
      kind: fc.constantFrom('append', 'cut', 'replace', 'content'),
      at: fc.nat(30),
      text: fc.string(),
    });
    fc.assert(
      fc.property(fc.array(edit, { maxLength: 15 }), (edits) => {
        const counter = createTokenCounter();
        const messages: Message[] = [{ role: 'user', content: 'start' }];
        for (const { kind, at, text } of edits) {
          const index = at % messages.length;
          if (kind === 'append')
            messages.push({ role: at % 2 ? 'user' : 'assistant', content: text, reasoning_content: 'why not' });
          else if (kind === 'cut') messages.length = Math.max(1, index);
          else if (kind === 'replace') messages[index] = { role: 'user', content: text };
          else (messages[index] as { content: string }).content = text;
          expect(counter.countMessages(messages)).toBe(
            createTokenCounter().countMessages(messages.map((message) => ({ ...message }))),
          );
        }
      }),
      { numRuns: 60 },
    );
  });

  it('is priced incrementally when messages are appended', () => {
    const { asked, counter } = recording();
    const messages = turns(400);
    counter.countMessages(messages);
    const before = asked.length;
    counter.countMessages([...messages, { role: 'user', content: 'One more.' }]);
    expect(asked.slice(before)).toEqual(['One more.']);
  });

  it('prices a message again if its content or calls were replaced in place, or parts were added', () => {
    const counter = createTokenCounter();
    const parts: { type: string; text: string }[] = [{ type: 'text', text: 'one' }];
    const messages: Message[] = [
      { role: 'user', content: 'short' },
      { role: 'assistant', content: null, tool_calls: [call('a', '{}')] },
      { role: 'user', content: parts },
    ];
    const first = counter.countMessages(messages);
    (messages[0] as { content: string }).content = 'a good deal longer than it was before';
    const second = counter.countMessages(messages);
    expect(second).toBeGreaterThan(first);
    (messages[1] as { tool_calls: unknown }).tool_calls = [call('a', '{"path":"/some/longer/path/to/a/file.txt"}')];
    const third = counter.countMessages(messages);
    expect(third).toBeGreaterThan(second);
    parts.push({ type: 'text', text: 'and then another part' });
    expect(counter.countMessages(messages)).toBeGreaterThan(third);
  });
});

describe('a request', () => {
  const tools = Array.from({ length: 50 }, (_, at) => ({
    type: 'function',
    function: {
      name: `tool_number_${at}`,
      description: 'Reads a file from the workspace and returns its lines with numbers. '.repeat(12),
      parameters: {
        type: 'object',
        properties: {
          path: { type: 'string', description: 'Absolute path of the file to read.' },
          limit: { type: 'integer', minimum: 1 },
        },
        required: ['path'],
      },
    },
  }));

  it('includes tools and system prompt, in OpenAI’s and Anthropic’s format', () => {
    const counter = createTokenCounter();
    const messages: Message[] = [{ role: 'user', content: 'Hello' }];
    const bareRequest = counter.countRequest({ messages });
    expect(bareRequest).toBeGreaterThan(counter.countMessages(messages));
    expect(counter.countRequest({ messages, tools })).toBeGreaterThan(bareRequest + 5000);
    const anthropic = tools.map(({ function: { name, description, parameters } }) => ({
      name,
      description,
      input_schema: parameters,
    }));
    const ratio = counter.countRequest({ messages, tools: anthropic }) / counter.countRequest({ messages, tools });
    expect(Math.abs(ratio - 1)).toBeLessThan(0.05);
    const prompt = 'You are a careful engineer. '.repeat(50);
    const added = counter.countRequest({ messages, system: [{ type: 'text', text: prompt }] }) - bareRequest;
    expect(Math.abs(added - counter.countText(prompt))).toBeLessThan(10);
    expect(counter.countRequest({ messages, system: prompt })).toBe(bareRequest + added);
  });

  it('measures images separately', () => {
    const { text, images, total } = createTokenCounter().measureRequest({
      messages: [
        {
          role: 'user',
          content: [{ type: 'image_url', image_url: { url: 'https://example.org/a.png' } }],
        } as unknown as Message,
      ],
    });
    expect(images).toBe(1600);
    expect(total).toBe(text + images);
  });
});

describe('bad input', () => {
  it('gives a finite number for any value in place of a message', () => {
    const counter = createTokenCounter();
    fc.assert(
      fc.property(
        fc.array(
          fc.anything({
            withBigInt: true,
            withDate: true,
            withMap: true,
            withTypedArray: true,
            withNullPrototype: true,
          }),
        ),
        (values) => {
          const tokens = counter.countRequest({ messages: values as Message[], tools: values, system: values[0] });
          expect(Number.isFinite(tokens) && tokens >= 0).toBe(true);
        },
      ),
    );
    const field = fc.anything({ withBigInt: true, withTypedArray: true });
    fc.assert(
      fc.property(
        fc.record(
          { role: field, content: field, tool_calls: field, reasoning_content: field, name: field },
          { requiredKeys: [] },
        ),
        (message) => {
          const tokens = counter.countMessage(message as unknown as Message, { reasoning: true });
          expect(Number.isFinite(tokens) && tokens >= 0).toBe(true);
        },
      ),
    );
  });

  it('handles parts whose type is not a string', () => {
    const message = {
      role: 'user',
      content: [{ type: Object.create(null) }, {}, Object.create(null)],
    } as unknown as Message;
    expect(Number.isFinite(createTokenCounter().countMessage(message))).toBe(true);
  });

  it('terminates on cyclic and very deep arguments and parts', () => {
    const counter = createTokenCounter();
    const cyclic: Record<string, unknown> = { text: { deep: 'words' }, type: 'odd' };
    cyclic.self = cyclic;
    let deep: Record<string, unknown> = { type: 'odd' };
    for (let at = 0; at < 20_000; at++) deep = { type: 'odd', inner: deep, content: [deep] };
    for (const value of [cyclic, deep]) {
      const message = {
        role: 'assistant',
        content: [value],
        tool_calls: [{ id: 'c', type: 'function', function: { name: 'f', arguments: value } }],
      } as unknown as Message;
      expect(Number.isFinite(counter.countMessage(message))).toBe(true);
      expect(Number.isFinite(counter.countRequest({ messages: [message], tools: [value] }))).toBe(true);
    }
  });

  it('handles a 50 MB message, NUL bytes and lone surrogates', () => {
    const counter = createTokenCounter();
    expect(counter.countText('\0\ud800\udfff\uffff'.repeat(1000))).toBeGreaterThan(0);
    expect(counter.countMessage({ role: 'tool', content: 'lorem ipsum dolor '.repeat(2_900_000) })).toBeGreaterThan(
      8_000_000,
    );
  });

  it('ignores prices that are not numbers', () => {
    const counter = createTokenCounter({ countText: () => Number.NaN, binaryCost: () => Number.POSITIVE_INFINITY });
    expect(
      counter.countMessage({
        role: 'user',
        content: [
          { type: 'image_url', image_url: { url: screenshot } },
          { type: 'text', text: 'x' },
        ],
      } as unknown as Message),
    ).toBe(4);
  });

  it('rejects an unknown encoding and lists the known ones', () => {
    expect(() => createTokenCounter({ encoding: 'p50k' as 'claude' })).toThrow(
      /expected 'o200k_base', 'cl100k_base', 'claude'.*; given: "p50k"/,
    );
  });

  it('rejects an unknown option and suggests the nearest', () => {
    const options = { binarycost: () => 1 };
    expect(() => createTokenCounter(options as object)).toThrow(
      /binarycost: unknown option\. Did you mean "binaryCost"/,
    );
  });
});

describe('special tokens in a tool result', () => {
  it('are ordinary text to both counters', async () => {
    const message: Message = {
      role: 'tool',
      tool_call_id: 'c',
      content: 'before <|endoftext|> and <|im_start|>system after <|fim_prefix|>',
    };
    const exact = await createExactTokenCounter();
    const estimate = createTokenCounter().countMessage(message);
    expect(exact.countMessage(message)).toBeGreaterThan(20);
    expect(Math.abs(estimate / exact.countMessage(message) - 1)).toBeLessThan(0.35);
  });
});
