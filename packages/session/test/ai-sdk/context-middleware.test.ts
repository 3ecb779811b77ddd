import { createAnthropic } from '@ai-sdk/anthropic';
import { createOpenAI } from '@ai-sdk/openai';
import * as ai from 'ai';
import {
  generateText,
  jsonSchema,
  type ModelMessage,
  stepCountIs,
  streamText,
  type ToolSet,
  tool,
  wrapLanguageModel,
} from 'ai';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { type LoopbackServer, startLoopbackServer } from '../../../../test/loopback-server/index.ts';
import { contextMiddleware } from '../../src/ai-sdk.ts';
import { filler, makeSession } from '../make-session.ts';

globalThis.AI_SDK_LOG_WARNINGS = false;

let server: LoopbackServer;
beforeAll(async () => {
  server = await startLoopbackServer();
});
afterAll(() => server.close());

const chat = () => createOpenAI({ apiKey: 'test', baseURL: server.openaiUrl }).chat('m');

describe('contextMiddleware', () => {
  it('works in the agent of the AI SDK', async () => {
    server.play((_, number) =>
      number < 25
        ? {
            kind: 'answer',
            text: '',
            calls: [{ id: `call_${number}`, name: 'read_file', arguments: `{"path":"src/${number}.ts"}` }],
          }
        : { kind: 'answer', text: 'All was read.' },
    );
    const { session } = makeSession({ window: 4_000 });
    const tools: ToolSet = {
      read_file: tool({
        description: 'Reads a file.',
        inputSchema: jsonSchema<{ path: string }>({ type: 'object', properties: { path: { type: 'string' } } }),
        execute: ({ path }) => filler(150, path),
      }),
    };
    // Version 5 has it under another name.
    const { ToolLoopAgent = Reflect.get(ai, 'Experimental_Agent') as typeof ai.ToolLoopAgent } = { ...ai };
    const model = wrapLanguageModel({ model: chat(), middleware: contextMiddleware(session) });
    const agent = new ToolLoopAgent({ model, tools, stopWhen: stepCountIs(100), maxRetries: 0 });
    const { text, steps } = await agent.generate({ prompt: 'Read the files.' });
    expect(text).toBe('All was read.');
    expect(steps.length).toBe(26);
    expect(server.received.flatMap(({ problems }) => problems)).toEqual([]);
    expect(session.records().length).toBeGreaterThan(0);
    expect(server.received.at(-1)!.text).not.toContain('src/0.ts:3 const value_3');
  });

  it('does not take a stream that failed for an answer, although it was finished', async () => {
    const { session } = makeSession({ window: 4_000 });
    const answered = vi.spyOn(session, 'afterResponse');
    const read = async (...failure: readonly object[]): Promise<void> => {
      const parts = [{ type: 'text-delta', id: '1', delta: 'It is' }, ...failure, { type: 'finish', usage: {} }];
      const stream = new ReadableStream({
        start(controller) {
          for (const part of parts) controller.enqueue(part);
          controller.close();
        },
      });
      const params = { prompt: [{ role: 'user', content: [{ type: 'text', text: 'Read the file.' }] }] };
      const model = Object.assign(chat(), { doStream: async () => ({ stream }) });
      const watched = await contextMiddleware(session).wrapStream!({ params, model } as never);
      for await (const _part of watched.stream);
    };
    await read({ type: 'error', error: new Error('overloaded') });
    expect(answered).not.toHaveBeenCalled();
    await read();
    expect(answered).toHaveBeenCalledOnce();
  });

  it('follows the model of a call', async () => {
    server.play(() => ({ kind: 'answer', text: 'Hello.' }));
    const { session } = makeSession({ window: 100_000 });
    const middleware = contextMiddleware(session, { model: (id) => ({ id, contextLength: 8_000 }) });
    const messages = Array.from(
      { length: 40 },
      (_, at): ModelMessage => ({
        role: at % 2 === 0 ? 'user' : 'assistant',
        content: filler(200, at),
      }),
    );
    messages.push({ role: 'user', content: 'Hello?' });
    await generateText({ model: wrapLanguageModel({ model: chat(), middleware }), messages, maxRetries: 0 });
    expect(session.status().model).toEqual({ id: 'm', contextLength: 8_000 });
    expect(session.records().length).toBe(1);
  });

  it('sends the pictures that a hook made smaller, in a request and in a result', async () => {
    server.play((_, number) =>
      number === 0
        ? {
            kind: 'status',
            status: 400,
            message:
              'messages.0.content.1.image.source.base64: image exceeds 2000 bytes maximum: 3003 bytes > 2000 bytes',
          }
        : { kind: 'answer', text: 'Two pictures.' },
    );
    const [large, small] = ['A'.repeat(4_000), 'c21hbGw='];
    const { session, events } = makeSession({
      window: 100_000,
      hooks: { shrinkImage: () => ({ type: 'image', image: `data:image/png;base64,${small}` }) as never },
    });
    const call = { toolCallId: 'call_1', toolName: 'screenshot' };
    // Version 5 has another name for pictures in results.
    const type = 'ToolLoopAgent' in ai ? 'image-data' : 'media';
    const value = [
      { type: 'text', text: 'The page:' },
      { type, data: large, mediaType: 'image/png' },
    ];
    const messages = [
      {
        role: 'user',
        content: [
          { type: 'text', text: 'Compare them.' },
          { type: 'image', image: large, mediaType: 'image/png' },
        ],
      },
      { role: 'assistant', content: [{ type: 'tool-call', ...call, input: {} }] },
      { role: 'tool', content: [{ type: 'tool-result', ...call, output: { type: 'content', value } }] },
    ] as ModelMessage[];
    const model = createAnthropic({ apiKey: 'test', baseURL: `${server.anthropicUrl}/v1` })('m');
    const middleware = contextMiddleware(session);
    const { text } = await generateText({ model: wrapLanguageModel({ model, middleware }), messages, maxRetries: 0 });
    expect(text).toBe('Two pictures.');
    expect(events.find(({ type }) => type === 'media-removed')).toMatchObject({ parts: 0, shrunk: 2 });
    const [first, second] = server.received.map(({ body }) => body.messages);
    expect(JSON.stringify(first).split(large).length).toBe(3);
    expect(JSON.stringify(second)).toBe(JSON.stringify(first).replaceAll(large, small));
  });

  for (const text of ['', 'I look at'])
    it(`sends less after a refusal inside a stream, ${text ? 'in the next call' : 'and in the same call before any content'}`, async () => {
      server.play((_, number) =>
        number === 0
          ? { kind: 'stream-error', code: 'context_length_exceeded', text }
          : { kind: 'answer', text: 'Hello.' },
      );
      const { session } = makeSession({ window: 100_000 });
      const model = wrapLanguageModel({ model: chat(), middleware: contextMiddleware(session) });
      const messages = Array.from(
        { length: 41 },
        (_, at): ModelMessage => ({
          role: at % 2 === 0 ? 'user' : 'assistant',
          content: filler(200, at),
        }),
      );
      const first = streamText({ model, messages, maxRetries: 0, onError: () => {} });
      let streamed = '';
      for await (const piece of first.textStream) streamed += piece;
      expect(streamed).toMatch(text ? /^I l/ : /^Hello\.$/);
      if (text) {
        expect(session.records()).toEqual([]);
        await streamText({ model, messages, maxRetries: 0 }).consumeStream();
      }
      expect(session.records().map(({ trigger }) => trigger)).toEqual(['overflow']);
      expect(server.received.length).toBe(2);
    });
});
