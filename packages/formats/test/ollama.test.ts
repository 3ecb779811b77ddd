import { apply, type Edit } from '@palimpsest/core';
import { describe, expect, it } from 'vitest';
import { detectFormat, type OllamaConversation, ollama } from '../src/index.ts';
import { readUsage, wireNamed } from '../src/wire.ts';

const picture = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR4nGNgYGBgAAAABQABh6FO1AAAAABJRU5ErkJggg==';

/** As Ollama writes it: calls without ids, and results with the names of their tools. */
const conversation: OllamaConversation = {
  messages: [
    { role: 'system', content: 'Be brief.' },
    { role: 'user', content: 'Compare.', images: [picture, '/9j/4AAQ'] },
    {
      role: 'assistant',
      content: '',
      thinking: 'Both cities.',
      tool_calls: [
        { function: { name: 'temperature', arguments: { city: 'Oslo' } } },
        { function: { name: 'wind', arguments: { city: 'Oslo' } } },
        { function: { name: 'temperature', arguments: { city: 'Rome' } } },
      ],
    },
    { role: 'tool', tool_name: 'wind', content: 'calm' },
    { role: 'tool', tool_name: 'temperature', content: '3' },
    { role: 'tool', tool_name: 'temperature', content: '25' },
    { role: 'assistant', content: 'Rome is warmer.' },
  ],
};

function edited(edits: readonly Edit[]): OllamaConversation {
  const decoded = ollama.decode(conversation);
  return ollama.encode(decoded, apply(decoded.messages, edits));
}

describe('a conversation with Ollama', () => {
  it('gives each call an id, and each result the id of the next call to its tool', () => {
    const { messages } = ollama.decode(conversation);
    const ids = messages[2]!.tool_calls!.map(({ id }) => id);
    expect(new Set(ids).size).toBe(3);
    expect(messages.slice(3, 6).map(({ tool_call_id: id }) => id)).toEqual([ids[1], ids[0], ids[2]]);
    expect(ollama.validate(conversation)).toEqual([]);
  });

  it('reads ids where there are any, also without the name of the tool, and takes results without both in order', () => {
    const call = (id?: string) => ({ ...(id && { id }), function: { name: 'read', arguments: {} } });
    const read = (calls: readonly (string | undefined)[], results: readonly object[]) =>
      ollama
        .decode({
          messages: [
            { role: 'assistant', content: '', tool_calls: calls.map(call) },
            ...results.map((result) => ({ role: 'tool', content: 'x', ...result })),
          ],
        })
        .messages.map(({ tool_calls: made, tool_call_id: id }) => id ?? made?.map((one) => one.id));
    expect(read(['a', 'b'], [{ tool_call_id: 'b' }, { tool_call_id: 'a' }])).toEqual([['a', 'b'], 'b', 'a']);
    expect(read(['a', 'b'], [{ tool_name: 'read' }, { tool_name: 'read' }])).toEqual([['a', 'b'], 'a', 'b']);
    const [made, ...answered] = read([undefined, undefined], [{}, {}]);
    expect(answered).toEqual(made);
  });

  it('reads thoughts and pictures, whose kind is in their first bytes', () => {
    const { messages } = ollama.decode(conversation);
    expect(messages[2]).toMatchObject({ content: null, reasoning_content: 'Both cities.' });
    expect(messages[1]!.content).toEqual([
      { type: 'text', text: 'Compare.' },
      { type: 'image', image: picture, mediaType: 'image/png' },
      { type: 'image', image: '/9j/4AAQ', mediaType: 'image/jpeg' },
    ]);
  });

  it('changes only what an edit names', () => {
    const { messages } = ollama.decode(conversation);
    const calls = messages[2]!.tool_calls!.map((call, at) =>
      at === 0 ? { ...call, function: { name: 'temperature', arguments: '{"city":"O"}' } } : call,
    );
    const result = edited([
      { kind: 'rewrite', at: 2, set: { tool_calls: calls }, reasons: [{ code: 'stub' }] } as Edit,
      { kind: 'rewrite', at: 3, set: { content: '[pruned]' }, reasons: [{ code: 'stub' }] } as Edit,
    ]);
    expect(result.messages[2]).toEqual({
      ...conversation.messages[2],
      tool_calls: [
        { function: { name: 'temperature', arguments: { city: 'O' } } },
        ...conversation.messages[2]!.tool_calls!.slice(1),
      ],
    });
    expect(result.messages[3]).toEqual({ role: 'tool', tool_name: 'wind', content: '[pruned]' });
    for (const at of [0, 1, 4, 5, 6]) expect(result.messages[at]).toBe(conversation.messages[at]);
  });

  it('is written with the names of tools, and without ids that were made', () => {
    const { messages } = ollama.decode(conversation);
    expect(ollama.fromMessages(messages).messages).toEqual(conversation.messages);
    const call = { id: 'call_1', type: 'function' as const, function: { name: 'read', arguments: 'not JSON' } };
    expect(
      ollama.fromMessages([
        { role: 'assistant', content: null, tool_calls: [call] },
        { role: 'tool', tool_call_id: 'call_1', content: 'x' },
      ]).messages,
    ).toEqual([
      {
        role: 'assistant',
        content: '',
        tool_calls: [{ id: 'call_1', function: { name: 'read', arguments: { input: 'not JSON' } } }],
      },
      { role: 'tool', content: 'x', tool_name: 'read', tool_call_id: 'call_1' },
    ]);
  });

  it('is recognized by calls with objects, names of tools, or pictures', () => {
    expect(detectFormat(conversation)).toBe('ollama');
    for (const message of conversation.messages.slice(1, 4)) expect(detectFormat([message])).toBe('ollama');
    expect(detectFormat([conversation.messages[0]])).toBe('openaiChat');
  });
});

describe('the wire of Ollama', () => {
  const wire = wireNamed('ollama');
  const url = new URL('http://127.0.0.1:11434/api/chat');
  const body = { model: 'qwen3', messages: [{ role: 'user', content: 'Hi.' }], keep_alive: '10m' };

  it('streams unless it is told not to', () => {
    expect(wire.factsOf(body, url).isStreamed).toBe(true);
    expect(wire.factsOf({ ...body, stream: false }, url).isStreamed).toBe(false);
  });

  it('reads window and cap from the options, without the numbers that stand for none', () => {
    const factsOf = (options: object) => wire.factsOf({ ...body, options }, url);
    expect(factsOf({ num_ctx: 8_192, num_predict: 500 })).toMatchObject({ window: 8_192, maxTokens: 500 });
    expect(factsOf({ num_predict: -2 })).toMatchObject({ window: undefined, maxTokens: undefined });
    expect(wire.withCap({ ...body, options: { seed: 1 } }, 700).options).toEqual({ seed: 1, num_predict: 700 });
  });

  it('leaves requests that load a model, and bodies of others at its path', () => {
    expect(wire.itemsOf({ model: 'qwen3', messages: [] })).toBeNull();
    expect(wire.itemsOf({ id: 'chat', messages: [{ role: 'user', parts: [] }] })).toBeNull();
  });

  it('asks a question with the same options, so that the model is not loaded again', () => {
    const asked = wire.question(
      { ...body, tools: [], format: 'json', think: false, options: { num_ctx: 8_192, stop: ['END'] } },
      'Sum up.',
    );
    expect(asked).toEqual({
      ...body,
      think: false,
      options: { num_ctx: 8_192 },
      messages: [{ role: 'user', content: 'Sum up.' }],
    });
  });

  it('reads counts, which are next to the message', () => {
    expect(readUsage({ message: {}, prompt_eval_count: 26, eval_count: 298 })).toMatchObject({
      promptTokens: 26,
      completionTokens: 298,
    });
  });
});
