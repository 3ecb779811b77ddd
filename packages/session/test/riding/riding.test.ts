import Anthropic from '@anthropic-ai/sdk';
import type { Usage } from '@palimpsest/core';
import { scriptedSummarizer, writtenSummary } from '@palimpsest/testkit';
import OpenAI from 'openai';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  type Behaviour,
  contextWindow,
  type LoopbackServer,
  type Received,
  startLoopbackServer,
} from '../../../../test/loopback-server/index.ts';
import { contextFetch, ridingSummarizer } from '../../src/fetch.ts';
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

/** A secret in a summary, assembled so that no scanner finds it here. */
const secret = ['AKIA', 'Q7RXW2LM', 'ZP4TKD6H'].join('');

const isRidden = ({ text }: Pick<Received, 'text'>): boolean => text.includes('Stop the work for this one message.');
/** A summary with every heading that is asked for. */
function summary({ text }: Received): string {
  const headings = [...text.matchAll(/^## (.+)\n\(/gm)].map(([, heading]) => heading!);
  return headings.map((heading) => `## ${heading}\nThe key ${secret} was used for file-3.ts.`).join('\n\n');
}

/** A conversation of 24 requests in a window of 24,000 tokens. */
async function converse(make: MakeHost, stream: boolean, ridden: (request: Received) => Behaviour, pauseMs = 0) {
  const judge = contextWindow(24_000);
  const cached: { readonly tokens: number; readonly share: number }[] = [];
  server.play((request) => {
    const { promptTokens, cachedTokens, refusal } = judge(request);
    if (refusal) return refusal;
    if (!isRidden(request))
      return { kind: 'answer', text: 'Understood.', promptTokens, cachedTokens, completionTokens: 3 };
    cached.push({ tokens: promptTokens, share: cachedTokens / promptTokens });
    const reply = ridden(request);
    return reply.kind === 'answer' ? { ...reply, promptTokens, cachedTokens, completionTokens: 300 } : reply;
  });
  const otherwise = scriptedSummarizer(writtenSummary);
  const rides = ridingSummarizer({ otherwise });
  const made = makeSession({
    window: 24_000,
    prices: () => prices,
    engine: (host) => compressorOn(host, rides as never, { minimumThreshold: 0 } as never),
  });
  const ask = make(contextFetch(made.session, { rides }), stream);
  for (let at = 0; at < 24; at++) {
    made.clock.advance(pauseMs);
    await ask(`Request ${at}: look at file-${at}.ts. ${filler(800, at)}`);
  }
  const events = made.events.filter(({ type }) => type === 'summary-ridden');
  return { ...made, otherwise, cached, ridden: events };
}

const prices = { input: 3, output: 15, cacheRead: 0.3, cacheWrite: 3 };

describe('a summarizer that rides on the last request', () => {
  it.each([
    ['chat completions', chat, false],
    ['chat completions, streamed', chat, true],
    ['Responses', responses, false],
    ['Responses, streamed', responses, true],
    ['Anthropic', anthropic, false],
    ['Anthropic, streamed', anthropic, true],
  ] as const)('sends its bytes and one message: %s', async (_, make, stream) => {
    const { session, otherwise, cached, ridden } = await converse(make, stream, (request) => ({
      kind: 'answer',
      text: summary(request),
    }));
    expect(ridden.length).toBeGreaterThan(0);
    expect(ridden).toEqual(ridden.map((event) => ({ ...event, failure: null, cachedTokens: expect.any(Number) })));
    expect(otherwise.calls).toEqual([]);
    expect(session.records().some(({ modelCalls, outcome }) => modelCalls > 0 && outcome === 'compressed')).toBe(true);
    server.received.forEach((request, at) => {
      expect(request.problems).toEqual([]);
      if (!isRidden(request)) {
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
    const inputs = ridden.map((event) => event as unknown as Usage);
    const spent = session.records().reduce((sum, { dollars }) => sum + (dollars?.summaries ?? 0), 0);
    const outputs = (inputs.length * 300 * prices.output) / 1e6;
    const uncached = inputs.reduce((sum, { promptTokens }) => sum + (promptTokens * prices.input) / 1e6, 0);
    expect(spent - outputs).toBeGreaterThan(0);
    expect(spent - outputs).toBeLessThan(uncached / 3);
    expect(server.received.at(-1)!.text).toContain('file-3.ts');
  });

  it.each([
    ['the cache is cold', { kind: 'answer', text: 'x' }, 300_000, 0],
    ['the ridden call fails', { kind: 'status', status: 500 }, 0, 1],
    [
      'the model calls a tool',
      { kind: 'answer', text: '', calls: [{ id: '1', name: 'read_file', arguments: '{}' }] },
      0,
      1,
    ],
    ['the answer is cut off', { kind: 'answer', text: '## Goal\nA', finish: 'length' }, 0, 1],
    ['the connection breaks', { kind: 'close', at: 'middle' }, 0, 1],
  ] as const)('leaves it to the other one when %s', async (_, reply, pauseMs, tried) => {
    const { otherwise, ridden, session } = await converse(chat, false, () => reply as Behaviour, pauseMs);
    expect(otherwise.calls.length).toBeGreaterThan(0);
    expect(otherwise.calls[0]!.prompt).toContain('The turns:');
    expect(ridden.length > 0).toBe(tried > 0);
    expect(ridden.every((event) => 'failure' in event && event.failure !== null)).toBe(true);
    expect(session.records()[0]).toMatchObject({ outcome: 'compressed' });
  });

  it('rides on one session only', () => {
    const rides = ridingSummarizer({ otherwise: scriptedSummarizer(writtenSummary) });
    contextFetch(makeSession().session, { rides });
    expect(() => contextFetch(makeSession().session, { rides })).toThrow('another session');
  });

  it('rides on a copy of its session, such as one that a host wraps', () => {
    const { session } = makeSession();
    const rides = ridingSummarizer({ otherwise: scriptedSummarizer(writtenSummary) });
    contextFetch(session, { rides });
    expect(() => contextFetch({ ...session }, { rides })).not.toThrow();
  });
});
