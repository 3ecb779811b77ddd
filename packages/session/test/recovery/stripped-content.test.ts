import Anthropic from '@anthropic-ai/sdk';
import type { Message } from '@palimpsest/core';
import OpenAI from 'openai';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  type Behaviour,
  type LoopbackServer,
  type Received,
  startLoopbackServer,
} from '../../../../test/loopback-server/index.ts';
import { contextFetch } from '../../src/fetch.ts';
import type { Session } from '../../src/session.ts';
import { makeSession } from '../make-session.ts';

let server: LoopbackServer;
beforeAll(async () => {
  server = await startLoopbackServer();
});
afterAll(() => server.close());

const answer: Behaviour = { kind: 'answer', text: 'An answer.', promptTokens: 900, completionTokens: 7 };
const openai = (session: Session): OpenAI =>
  new OpenAI({ apiKey: 'test', baseURL: server.openaiUrl, fetch: contextFetch(session), maxRetries: 0 });
const anthropic = (session: Session): Anthropic =>
  new Anthropic({ apiKey: 'test', baseURL: server.anthropicUrl, fetch: contextFetch(session), maxRetries: 0 });

/** Refuses the requests that a test selects, with these words, and answers everything else. */
function refuses(isRefused: (text: string) => boolean, message: string, code?: string): void {
  server.play(({ body }) =>
    isRefused(JSON.stringify(body)) ? { kind: 'status', status: 400, message, code } : answer,
  );
}

const screenshot = { type: 'image_url', image_url: { url: `data:image/png;base64,${'A'.repeat(400)}` } };
const call = (id: string): object => ({
  role: 'assistant',
  content: null,
  tool_calls: [{ id, type: 'function', function: { name: 'look', arguments: '{}' } }],
});
const looked = (id: string): object => ({
  role: 'tool',
  tool_call_id: id,
  content: [{ type: 'text', text: `Page ${id}.` }, screenshot],
});

describe('tool results that must be plain text', () => {
  const messages = [{ role: 'user', content: 'Look.' }, call('a'), looked('a')] as OpenAI.ChatCompletionMessageParam[];
  const more = [...messages, call('b'), looked('b')] as OpenAI.ChatCompletionMessageParam[];
  const hasParts = (text: string): boolean => text.includes('image_url');

  it.each([
    ['a strict server', 'tool message content must be a string'],
    ['Xiaomi MiMo', 'text is not set'],
    ['a schema', 'messages[2].content: expected string, got list'],
  ])('are sent as text after %s refuses them, also in later turns', async (_, message) => {
    const { session, events, summarizer } = makeSession({ window: 100_000 });
    refuses(hasParts, message);
    const client = openai(session);
    await client.chat.completions.create({ model: 'm', messages });
    await client.chat.completions.create({ model: 'm', messages: more });
    expect(server.received.length).toBe(3);
    const [, first, second] = server.received.map(({ body }) => body.messages as readonly Message[]);
    expect(first![2]!.content).toBe('Page a.\n[image removed: the provider takes only text from tools]');
    expect(JSON.stringify(second!.slice(0, 3))).toBe(JSON.stringify(first));
    expect(second![4]!.content).toContain('Page b.');
    expect(server.received.flatMap(({ problems }) => problems)).toEqual([]);
    expect(events.filter(({ type }) => type === 'content-stripped')).toMatchObject([{ what: 'tool-parts' }]);
    expect(summarizer.calls).toEqual([]);
    expect(session.records()).toEqual([]);
    expect(hasParts(JSON.stringify(messages))).toBe(true);
  });

  it.each([
    ['one part', [{ type: 'text', text: 'Line 1.' }]],
    [
      'two parts, one with a cache mark',
      [
        { type: 'text', text: 'Line 1.' },
        { type: 'text', text: 'Line 2.', cache_control: { type: 'ephemeral' } },
      ],
    ],
  ])('are flattened when they are lists of texts: %s', async (_, content) => {
    const { session, events } = makeSession({ window: 100_000 });
    server.play(({ body }) =>
      (body.messages as readonly Message[]).some(({ role, content }) => role === 'tool' && Array.isArray(content))
        ? { kind: 'status', status: 400, message: 'tool content must be a string' }
        : answer,
    );
    const texts = [messages[0], messages[1], { role: 'tool', tool_call_id: 'a', content }];
    await openai(session).chat.completions.create({
      model: 'm',
      messages: texts as OpenAI.ChatCompletionMessageParam[],
    });
    expect(server.received.length).toBe(2);
    const sent = server.received[1]!.body.messages as readonly Message[];
    expect(sent[2]!.content).toBe(content.map(({ text }) => text).join('\n'));
    expect(events.filter(({ type }) => type === 'content-stripped')).toMatchObject([{ what: 'tool-parts' }]);
  });

  it('are flattened first; lists of texts in other messages if that was not enough, and pictures of the user stay', async () => {
    const { session } = makeSession({ window: 100_000 });
    const isPlain = ({ content }: Message): boolean => !Array.isArray(content);
    const text = (said: string): object[] => [{ type: 'text', text: said }];
    const shown = { role: 'user', content: [...text('And this?'), screenshot] };
    server.play(({ body }) =>
      (body.messages as readonly Message[]).slice(0, 3).every(isPlain)
        ? answer
        : { kind: 'status', status: 400, message: 'messages[0]: invalid type: sequence, expected a string' },
    );
    const lists = [{ role: 'user', content: text('Look.') }, messages[1], looked('a'), shown];
    await openai(session).chat.completions.create({
      model: 'm',
      messages: lists as OpenAI.ChatCompletionMessageParam[],
    });
    expect(server.received.length).toBe(3);
    const sent = server.received[2]!.body.messages as readonly Message[];
    expect(sent[0]!.content).toBe('Look.');
    expect(sent[3]).toEqual(shown);
  });

  it('pass the refusal to the caller when there is nothing to strip, or when it does not help', async () => {
    const { session } = makeSession({ window: 100_000 });
    server.play(() => ({ kind: 'status', status: 400, message: 'tool message content must be a string' }));
    const client = openai(session);
    await expect(client.chat.completions.create({ model: 'm', messages: messages.slice(0, 1) })).rejects.toMatchObject({
      status: 400,
    });
    expect(server.received.length).toBe(1);
    await expect(client.chat.completions.create({ model: 'm', messages })).rejects.toMatchObject({ status: 400 });
    expect(server.received.length).toBe(2 + 1);
  });
});

describe('reasoning that a provider does not accept back', () => {
  it('is removed behind the Anthropic client, and later reasoning stays', async () => {
    const { session, events } = makeSession({ window: 100_000 });
    refuses((text) => text.includes('stale'), 'messages.1.content.0: Invalid `signature` in `thinking` block');
    const thought = (signature: string): Anthropic.ContentBlockParam => ({
      type: 'thinking',
      thinking: 'Hm.',
      signature,
    });
    const messages: Anthropic.MessageParam[] = [
      { role: 'user', content: 'Look.' },
      {
        role: 'assistant',
        content: [
          thought('stale'),
          { type: 'redacted_thinking', data: 'stale' },
          { type: 'text', text: 'I look.' },
          { type: 'tool_use', id: 'a', name: 'look', input: {} },
        ],
      },
      { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'a', content: 'Page a.' }] },
      {
        role: 'assistant',
        content: [
          { type: 'redacted_thinking', data: 'stale' },
          { type: 'text', text: 'Done.' },
        ],
      },
      { role: 'user', content: 'Again.' },
    ];
    const client = anthropic(session);
    await client.messages.create({ model: 'm', max_tokens: 100, messages });
    const later: Anthropic.MessageParam[] = [
      ...messages,
      { role: 'assistant', content: [thought('fresh'), { type: 'text', text: 'Done again.' }] },
      { role: 'user', content: 'And now?' },
    ];
    await client.messages.create({ model: 'm', max_tokens: 100, messages: later });
    expect(server.received.length).toBe(3);
    const sent = server.received.map(({ body }) => body.messages as Anthropic.MessageParam[]);
    expect(sent[1]![1]!.content).toEqual(messages[1]!.content.slice(2));
    expect(JSON.stringify(sent[2]!.slice(0, 5))).toBe(JSON.stringify(sent[1]));
    expect(JSON.stringify(sent[2])).toContain('fresh');
    expect(server.received.flatMap(({ problems }) => problems)).toEqual([]);
    expect(events.filter(({ type }) => type === 'content-stripped')).toMatchObject([{ what: 'reasoning' }]);
    expect(session.records()).toEqual([]);
  });

  it('is removed from a Responses request, even if it is encrypted and has no text', async () => {
    const { session } = makeSession({ window: 100_000 });
    refuses(
      (text) => text.includes('encrypted_content'),
      'The encrypted content gAAA could not be verified.',
      'invalid_encrypted_content',
    );
    const input: OpenAI.Responses.ResponseInputItem[] = [
      { role: 'user', content: 'Look.' },
      { type: 'reasoning', id: 'rs_a', summary: [], encrypted_content: 'gAAA' },
      { type: 'function_call', id: 'fc_1', call_id: 'a', name: 'look', arguments: '{}' },
      { type: 'function_call_output', call_id: 'a', output: 'Page a.' },
    ];
    await openai(session).responses.create({ model: 'm', input, store: false });
    const sent = server.received[1]!.body.input as readonly { type?: string }[];
    expect(sent.map(({ type }) => type)).toEqual([undefined, 'function_call', 'function_call_output']);
    expect(server.received.flatMap(({ problems }) => problems)).toEqual([]);
  });

  it('is removed from chat messages, in every field that gateways use', async () => {
    const { session } = makeSession({ window: 100_000 });
    refuses((text) => text.includes('stale'), 'Invalid `signature` in `thinking` block');
    const messages = [
      { role: 'user', content: 'Look.' },
      {
        ...call('a'),
        reasoning: 'stale',
        reasoning_content: 'stale',
        reasoning_details: [{ type: 'reasoning.text', signature: 'stale' }],
        thinking_blocks: [{ signature: 'stale' }],
      },
      { role: 'tool', tool_call_id: 'a', content: 'Page a.' },
    ] as OpenAI.ChatCompletionMessageParam[];
    await openai(session).chat.completions.create({ model: 'm', messages });
    expect((server.received[1] as Received).body.messages).toEqual([messages[0], call('a'), messages[2]]);
  });

  it('reaches the caller as a refusal when it is refused again, within the attempts of a turn', async () => {
    const { session } = makeSession({ window: 100_000 });
    server.play(() => ({ kind: 'status', status: 400, code: 'invalid_encrypted_content', message: 'no' }));
    await expect(
      openai(session).chat.completions.create({ model: 'm', messages: [{ role: 'user', content: 'Look.' }] }),
    ).rejects.toMatchObject({ status: 400 });
    expect(server.received.length).toBe(2);
  });

  it('is removed from a message with calls that has nothing else in its content', async () => {
    const { session } = makeSession({ window: 100_000 });
    const thinking = { ...call('a'), content: [{ type: 'thinking', thinking: 'Hm.', signature: 'stale' }] };
    const messages = [{ role: 'user', content: 'Look.' }, thinking, { role: 'tool', tool_call_id: 'a', content: 'A.' }];
    const seen: unknown[] = [];
    await session.run(messages as Message[], async (sent) => {
      seen.push(sent);
      if (seen.length === 1) throw Object.assign(new Error('Invalid signature in thinking block'), { status: 400 });
      return {};
    });
    expect(JSON.parse(JSON.stringify(seen[1]))).toEqual([messages[0], call('a'), messages[2]]);
  });

  it('is removed from a request made with session.run', async () => {
    const { session } = makeSession({ window: 100_000 });
    const seen: Message[][] = [];
    await session.run(
      [
        { role: 'user', content: 'Look.' },
        { role: 'assistant', content: 'Yes.', reasoning_content: 'stale' },
        { role: 'user', content: 'Go on.' },
      ],
      async (messages) => {
        seen.push(messages as unknown as Message[]);
        if (seen.length === 1) throw Object.assign(new Error('Invalid signature in thinking block'), { status: 400 });
        return {};
      },
    );
    expect(JSON.stringify(seen[1])).not.toContain('stale');
  });
});

describe('a connection that is closed on a nearly full window', () => {
  it('is followed by a smaller request, and stays an error otherwise', async () => {
    const filler = Array.from({ length: 300 }, (_, index) => `line ${index} of a long page`).join('\n');
    const messages: OpenAI.ChatCompletionMessageParam[] = [];
    for (let index = 0; index < 6; index++)
      messages.push(
        { role: 'user', content: `Read page ${index}.` },
        { role: 'assistant', content: `${index}\n${filler}` },
      );
    messages.push({ role: 'user', content: 'And now?' });
    server.play((_, number) => (number === 0 ? { kind: 'close', at: 'start' } : answer));
    const { session } = makeSession({ window: 16_000, engineOptions: { threshold: 0.95 } as never });
    await openai(session).chat.completions.create({ model: 'm', messages });
    expect(server.received.length).toBe(2);
    expect(session.records().map(({ trigger }) => trigger)).toEqual(['overflow']);

    server.play(() => ({ kind: 'close', at: 'start' }));
    const calm = makeSession({ window: 200_000 });
    await expect(openai(calm.session).chat.completions.create({ model: 'm', messages })).rejects.toBeInstanceOf(
      OpenAI.APIConnectionError,
    );
    expect(server.received.length).toBe(1);
  });
});
