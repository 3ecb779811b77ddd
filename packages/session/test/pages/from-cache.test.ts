import Anthropic from '@anthropic-ai/sdk';
import type { Message } from '@aws-sdk/client-bedrock-runtime';
import type { Usage } from '@palimpsest/core';
import { createScriptedSummarizer, writeShortSummary } from '@palimpsest/testkit';
import { Ollama, type Message as OllamaMessage } from 'ollama';
import OpenAI from 'openai';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { askConverse } from '../../../../test/converse.ts';
import {
  type Behaviour,
  contextWindow,
  type LoopbackServer,
  type Received,
  startLoopbackServer,
} from '../../../../test/loopback-server/index.ts';
import { contextFetch } from '../../src/fetch.ts';
import { bedrockClient } from '../bedrock-client.ts';
import { compressorOn, filler, makeSession } from '../make-session.ts';

let server: LoopbackServer;
beforeAll(async () => {
  server = await startLoopbackServer();
});
afterAll(() => server.close());

type Ask = (words: string) => Promise<void>;
type MakeHost = (fetch: ReturnType<typeof contextFetch>, stream: boolean) => Ask;

const tool = { name: 'read_file', description: 'Reads a file.' };
const parameters = { type: 'object' as const, properties: { path: { type: 'string' } } };

async function read(reply: unknown): Promise<void> {
  if (Symbol.asyncIterator in Object(reply)) for await (const _ of reply as AsyncIterable<unknown>);
}

const chat: MakeHost = (fetch, stream) => {
  const client = new OpenAI({ apiKey: 'test', baseURL: server.openaiUrl, fetch, maxRetries: 0 });
  const messages: OpenAI.ChatCompletionMessageParam[] = [{ role: 'system', content: 'You are an agent.' }];
  const tools = [{ type: 'function' as const, function: { ...tool, parameters } }];
  return async (content) => {
    messages.push({ role: 'user', content });
    const streaming = stream ? { stream, stream_options: { include_usage: true } } : {};
    await read(await client.chat.completions.create({ model: 'm', messages, tools, temperature: 0.5, ...streaming }));
    messages.push({ role: 'assistant', content: 'Understood.' });
  };
};

const responses: MakeHost = (fetch, stream) => {
  const client = new OpenAI({ apiKey: 'test', baseURL: server.openaiUrl, fetch, maxRetries: 0 });
  const input: OpenAI.Responses.ResponseInputItem[] = [];
  const tools = [{ type: 'function' as const, ...tool, parameters, strict: false }];
  return async (content) => {
    input.push({ role: 'user', content });
    await read(await client.responses.create({ model: 'm', input, tools, store: false, stream }));
    input.push({ role: 'assistant', content: 'Understood.' });
  };
};

const anthropic: MakeHost = (fetch, stream) => {
  const client = new Anthropic({ apiKey: 'test', baseURL: server.anthropicUrl, fetch, maxRetries: 0 });
  const messages: Anthropic.MessageParam[] = [];
  const tools = [{ ...tool, input_schema: parameters }];
  return async (content) => {
    messages.push({ role: 'user', content });
    await read(await client.messages.create({ model: 'm', max_tokens: 6_000, system: 'S.', messages, tools, stream }));
    messages.push({ role: 'assistant', content: 'Understood.' });
  };
};

const bedrock: MakeHost = (fetch, stream) => {
  const client = bedrockClient(server.bedrockUrl, 'key', fetch);
  const messages: Message[] = [];
  const toolConfig = { tools: [{ toolSpec: { ...tool, inputSchema: { json: parameters } } }] };
  return async (text) => {
    messages.push({ role: 'user', content: [{ text }] });
    await askConverse(client, { modelId: 'm', system: [{ text: 'S.' }], messages, toolConfig }, stream);
    messages.push({ role: 'assistant', content: [{ text: 'Understood.' }] });
  };
};

const ollama: MakeHost = (fetch, stream) => {
  const client = new Ollama({ host: server.ollamaUrl, fetch: fetch as typeof globalThis.fetch });
  const messages: OllamaMessage[] = [{ role: 'system', content: 'You are an agent.' }];
  const tools = [{ type: 'function', function: { ...tool, parameters } }];
  return async (content) => {
    messages.push({ role: 'user', content });
    const body = { model: 'qwen3', messages, tools, options: { num_ctx: 24_000 } };
    await read(await (stream ? client.chat({ ...body, stream }) : client.chat({ ...body, stream })));
    messages.push({ role: 'assistant', content: 'Understood.' });
  };
};

/** A secret in a summary, assembled so that no scanner finds it here. */
const secret = ['AKIA', 'Q7RXW2LM', 'ZP4TKD6H'].join('');

const isForPage = ({ text }: Pick<Received, 'text'>): boolean => text.includes('Stop the work for this one message.');
/** A summary with every heading that is asked for. */
function summary({ text }: Received): string {
  const headings = [...text.matchAll(/^## (.+)\n\(/gm)].map(([, heading]) => heading!);
  return headings.map((heading) => `## ${heading}\nThe key ${secret} was used for file-3.ts.`).join('\n\n');
}

/** A conversation of 24 requests in a window of 24,000 tokens. */
async function converse(make: MakeHost, stream: boolean, fromCache: (request: Received) => Behaviour, isCached = true) {
  const judge = contextWindow(24_000);
  let refused = 0;
  const cached: { readonly tokens: number; readonly share: number }[] = [];
  server.play((request) => {
    const { promptTokens, refusal, ...judged } = judge(request);
    const cachedTokens = isCached ? judged.cachedTokens : 0;
    if (refusal) {
      refused++;
      return refusal;
    }
    if (!isForPage(request))
      return { kind: 'answer', text: 'Understood.', promptTokens, cachedTokens, completionTokens: 3 };
    cached.push({ tokens: promptTokens, share: cachedTokens / promptTokens });
    const reply = fromCache(request);
    return reply.kind === 'answer' ? { ...reply, promptTokens, cachedTokens, completionTokens: 300 } : reply;
  });
  const otherwise = createScriptedSummarizer(writeShortSummary);
  const made = makeSession({
    window: 24_000,
    prices: () => prices,
    summaries: otherwise,
    engine: (host) => compressorOn(host, host.summarizer as never, { threshold: 0.5, minimumThreshold: 0 }),
  });
  const ask = make(contextFetch(made.session), stream);
  for (let at = 0; at < 24; at++) {
    await ask(`Request ${at}: look at file-${at}.ts. ${filler(800, at)}`);
    // A page that was asked for arrives.
    for (let wait = 0; wait < 20; wait++) await new Promise(setImmediate);
  }
  await made.session.end();
  const events = made.events.filter(({ type }) => type === 'summary-from-cache');
  return { ...made, otherwise, cached, refused, fromCache: events };
}

const prices = { input: 3, output: 15, cacheRead: 0.3, cacheWrite: 3 };

describe('a page from the cached request', () => {
  it.each([
    ['chat completions', chat, false],
    ['chat completions, streamed', chat, true],
    ['Responses', responses, false],
    ['Responses, streamed', responses, true],
    ['Anthropic', anthropic, false],
    ['Anthropic, streamed', anthropic, true],
    ['Bedrock', bedrock, false],
    ['Bedrock, streamed', bedrock, true],
  ] as const)('sends its bytes and one message: %s', async (_, make, stream) => {
    const { session, otherwise, cached, fromCache } = await converse(make, stream, (request) => ({
      kind: 'answer',
      text: summary(request),
    }));
    expect(fromCache.length).toBeGreaterThan(0);
    expect(fromCache).toEqual(
      fromCache.map((event) => ({ ...event, failure: null, cachedTokens: expect.any(Number) })),
    );
    expect(otherwise.calls).toEqual([]);
    expect(session.records().some(({ modelCalls, outcome }) => modelCalls > 0 && outcome === 'compacted')).toBe(true);
    server.received.forEach((request, at) => {
      expect(request.problems).toEqual([]);
      if (!isForPage(request)) {
        expect(request.text).not.toContain(secret);
        return;
      }
      const before = server.received[at - 1]!.raw;
      const list = before.includes('"input":') ? 'input' : 'messages';
      const written = JSON.stringify((JSON.parse(before) as Record<string, unknown>)[list]);
      const end = before.indexOf(written) + written.length - 1;
      expect(request.raw.startsWith(before.slice(0, end))).toBe(true);
      expect(request.raw.endsWith(before.slice(end))).toBe(true);
    });
    for (const { share } of cached) expect(share).toBeGreaterThan(0.85);
    // The prompt of a summary costs less than a third of what it costs without the cache.
    const inputs = fromCache.map((event) => event as unknown as Usage);
    const spent = session.records().reduce((sum, { dollars }) => sum + (dollars?.summaries ?? 0), 0);
    const outputs = (inputs.length * 300 * prices.output) / 1e6;
    const uncached = inputs.reduce((sum, { promptTokens }) => sum + (promptTokens * prices.input) / 1e6, 0);
    expect(spent - outputs).toBeGreaterThan(0);
    expect(spent - outputs).toBeLessThan(uncached / 3);
    expect(server.received.at(-1)!.text).toContain('file-3.ts');
  });

  it.each([false, true])(
    'sends them to Ollama, which does not say what it has in its cache; streamed: %s',
    async (stream) => {
      const { cached, fromCache, otherwise, refused } = await converse(ollama, stream, (request) => ({
        kind: 'answer',
        text: summary(request),
      }));
      expect(refused).toBe(0);
      expect(fromCache.length).toBeGreaterThan(0);
      for (const event of fromCache) expect(event).toMatchObject({ failure: null, cachedTokens: null });
      for (const { share } of cached) expect(share).toBeGreaterThan(0.9);
      expect(otherwise.calls).toEqual([]);
      expect(server.received.flatMap(({ problems }) => problems)).toEqual([]);
    },
  );

  it('leaves it to the other one when the provider caches nothing', async () => {
    const { otherwise, fromCache, session } = await converse(chat, false, () => ({ kind: 'answer', text: 'x' }), false);
    expect(otherwise.calls[0]!.prompt).toContain('The turns:');
    expect(fromCache).toEqual([]);
    expect(session.records()[0]).toMatchObject({ outcome: 'compacted' });
  });

  it.each([
    ['fails', { kind: 'status', status: 500 }],
    ['calls a tool', { kind: 'answer', text: '', calls: [{ id: '1', name: 'read_file', arguments: '{}' }] }],
    ['is cut off', { kind: 'answer', text: '## Goal\nA', finish: 'length' }],
    ['breaks off', { kind: 'close', at: 'middle' }],
    ['is empty', { kind: 'answer', text: '' }],
    ['is refused', { kind: 'answer', text: "I'm sorry, I can't help with that." }],
  ] as const)(
    'that %s is asked for again only after a pause, and rules write where no room is left',
    async (_, reply) => {
      const { otherwise, fromCache, session, refused } = await converse(chat, false, () => reply as Behaviour);
      expect(refused).toBe(0);
      expect(otherwise.calls).toEqual([]);
      expect(fromCache.length).toBe(1);
      expect(session.records().every(({ modelCalls }) => modelCalls === 0)).toBe(true);
      expect(session.records().length).toBeGreaterThan(0);
    },
  );
});
