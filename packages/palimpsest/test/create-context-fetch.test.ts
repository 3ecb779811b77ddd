import Anthropic from '@anthropic-ai/sdk';
import OpenAI from 'openai';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  type Behaviour,
  contextWindow,
  type LoopbackServer,
  startLoopbackServer,
} from '../../../test/loopback-server/index.ts';
import { createContextFetch } from '../src/index.ts';
import { toolRounds } from './tool-rounds.ts';

const answer: Behaviour = { kind: 'answer', text: 'An answer.' };

let server: LoopbackServer;
beforeAll(async () => {
  server = await startLoopbackServer();
});
afterAll(() => server.close());

describe('createContextFetch', () => {
  it.each(['compressor', 'prune-compact'])('keeps a long history inside the window (%s)', async (engine) => {
    const window = contextWindow(32_000);
    server.play((request) => window(request).refusal ?? answer);
    const fetch = await createContextFetch({ model: { id: 'local', contextLength: 32_000 }, engine });
    const client = new OpenAI({ apiKey: 'test', baseURL: server.openaiUrl, fetch, maxRetries: 0 });
    const messages = toolRounds(150);
    await client.chat.completions.create({ model: 'local', messages });
    // It fits at once: no request was refused.
    expect(server.received.map(({ problems }) => problems)).toEqual([[]]);
    expect(fetch.session.records()).not.toEqual([]);
    expect(messages).toEqual(toolRounds(150));
  });

  it('looks up the window of the model, and of another that a request names', async () => {
    server.play(() => answer);
    const fetch = await createContextFetch({ model: 'gpt-5' });
    expect(fetch.session.status().contextLength).toBe(272_000);
    const client = new Anthropic({ apiKey: 'test', baseURL: server.anthropicUrl, fetch, maxRetries: 0 });
    const ask = (model: string) =>
      client.messages.create({ model, max_tokens: 100, messages: [{ role: 'user', content: 'Hello' }] });
    await ask('claude-sonnet-4-20250514');
    expect(fetch.session.status().contextLength).toBe(200_000);
    await ask('gpt-5');
    expect(fetch.session.status().contextLength).toBe(272_000);
  });

  it('knows the list prices of a model that was given by its id', async () => {
    server.play(() => ({ ...answer, promptTokens: 100_000, completionTokens: 10 }));
    const paid = async (options: Parameters<typeof createContextFetch>[0]) => {
      const fetch = await createContextFetch(options);
      const client = new OpenAI({ apiKey: 'test', baseURL: server.openaiUrl, fetch, maxRetries: 0 });
      const messages = toolRounds(150);
      await client.chat.completions.create({ model: 'gpt-5', messages });
      await fetch.session.compact();
      await client.chat.completions.create({ model: 'gpt-5', messages });
      return fetch.session.records()[0]!.dollars?.paid;
    };
    expect(await paid({ model: 'gpt-5' })).toBeCloseTo(0.1251);
    expect(await paid({ model: { id: 'gpt-5', contextLength: 32_000 } })).toBeUndefined();
    expect(await paid({ model: 'gpt-5', prices: () => null })).toBeUndefined();
  });

  it('keeps a window that was passed, whatever a request names', async () => {
    server.play(() => answer);
    const fetch = await createContextFetch({ model: { id: 'local', contextLength: 32_000 } });
    const client = new OpenAI({ apiKey: 'test', baseURL: server.openaiUrl, fetch, maxRetries: 0 });
    await client.chat.completions.create({ model: 'gpt-5', messages: [{ role: 'user', content: 'Hello' }] });
    expect(fetch.session.status().contextLength).toBe(32_000);
  });

  it('answers searches of the model, which the client never sees', async () => {
    const search = { id: 'call_r', name: 'recall', arguments: '{"query":"value_3_7"}' };
    server.play((_, number) => (number === 0 ? { ...answer, text: '', calls: [search] } : answer));
    const fetch = await createContextFetch({ model: { id: 'local', contextLength: 32_000 } });
    const client = new OpenAI({ apiKey: 'test', baseURL: server.openaiUrl, fetch, maxRetries: 0 });
    const reply = await client.chat.completions.create({ model: 'local', messages: toolRounds(150) });
    expect(reply.choices[0]?.message).toMatchObject({ content: 'An answer.' });
    expect(reply.choices[0]?.message.tool_calls).toBeUndefined();
    const [first, second] = server.received.map(({ body }) => JSON.stringify(body));
    expect(first).not.toContain('value_3_7 = compute(21)');
    expect(second).toContain('value_3_7 = compute(21)');
  });

  it('reports mistakes at once', async () => {
    await expect(createContextFetch({ model: 'my-own-model' })).rejects.toThrow(/my-own-model.*contextLength/);
    await expect(createContextFetch({ model: 'gpt-5', engine: 'compresor' })).rejects.toThrow(/compressor/);
    const given = (options: object) => createContextFetch(options as never);
    await expect(given({ model: 'gpt-5', shapeResult: true })).rejects.toThrow(
      /^One option of createContextFetch is not valid:\n {2}shapeResult: unknown option\. Did you mean "shapeResults"\? Known: .*summaries/,
    );
    await expect(given({ model: 'gpt-5', sumaries: {} })).rejects.toThrow(/Did you mean "summaries"/);
    await expect(given({ model: { id: 'local', contextLength: '32k' } })).rejects.toThrow(
      /^One option of createContextFetch is not valid:\n {2}model\.contextLength: expected a number of tokens, such as 32_000; .*given: "32k"/,
    );
    await expect(given({ model: 'gpt-5', format: 'openai' })).rejects.toThrow(
      /^One option of createContextFetch is not valid:\n {2}format: expected 'openai-chat', /,
    );
  });

  it.each<[unknown, string]>([
    [undefined, 'options: expected an object with a model'],
    ['gpt-5', 'options: expected an object with a model'],
    [{}, "model: expected a model's id"],
    [{ model: 7 }, "model: expected a model's id"],
    [{ model: 'gpt-5', fetch: 'x' }, 'fetch: expected a function; given: a string of 1 characters'],
    [{ model: 'gpt-5', engine: 3 }, "engine: expected an engine's name"],
    [{ model: 'gpt-5', minimun: 3 }, 'minimun: unknown option.'],
    [{ model: 'gpt-5', redact: true }, 'redact: expected a function; given: true'],
    [
      { model: 'gpt-5', hooks: { onEvents: () => undefined } },
      'hooks.onEvents: unknown option. Did you mean "onEvent"?',
    ],
  ])('names itself and the option: %j', async (options, message) => {
    await expect(createContextFetch(options as never)).rejects.toMatchObject({
      code: 'OPTION_INVALID',
      message: expect.stringMatching(/^(?:One option|\d options) of createContextFetch (?:is|are) not valid:/),
    });
    await expect(createContextFetch(options as never)).rejects.toThrow(message);
  });

  it.each(['openai:gpt-5-mini', {}])('rejects invalid summaries: %j', async (summaries) => {
    await expect(
      createContextFetch({ model: { id: 'local', contextLength: 32_000 }, summaries: summaries as never }),
    ).rejects.toThrow(/summaries: expected 'model' or 'rules', or a summarizer/);
  });

  it('gives advice for an unknown engine that can be followed', async () => {
    const error: unknown = await createContextFetch({ model: 'gpt-5', engine: 'prune_compact' }).catch((e) => e);
    expect(error).toMatchObject({
      code: 'ENGINE_UNKNOWN',
      message: expect.stringMatching(/"prune_compact"\. Did you mean "prune-compact"\?.*createSession.*contextFetch/),
      details: { nearest: 'prune-compact' },
    });
    expect(String(error)).not.toContain('nodeResolver');
  });

  it('prepares requests on a path of its own with the option format', async () => {
    const sent: string[] = [];
    const fetch = await createContextFetch({
      model: { id: 'local', contextLength: 32_000 },
      format: 'openai-chat',
      fetch: async (_, init) => {
        sent.push(String(init?.body));
        return Response.json({ choices: [] });
      },
    });
    const body = JSON.stringify({ model: 'local', messages: toolRounds(150) });
    await fetch('http://gateway/completion', { method: 'POST', body });
    expect(sent.map(({ length }) => length < body.length / 2)).toEqual([true]);
  });
});
