import { createServer, type IncomingMessage, type ServerResponse, request as send } from 'node:http';
import type { AddressInfo } from 'node:net';
import { compressorOptions, compressorPlanner } from '@palimpsest/compressor';
import type { Summarizer } from '@palimpsest/core';
import { createEngine, validateOptions } from '@palimpsest/core/authoring';
import { createScriptedSummarizer, writeShortSummary } from '@palimpsest/testkit';
import OpenAI from 'openai';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import {
  type Behaviour,
  contextWindow,
  type LoopbackServer,
  type Received,
  startLoopbackServer,
} from '../../../../test/loopback-server/index.ts';
import { contextFetch } from '../../src/fetch.ts';
import { filler, makeSession } from '../make-session.ts';

// A server like llama.cpp with one slot: requests wait in a queue, and one that its client gives up frees the slot.
let strict: LoopbackServer;
let url = '';
/** Requests that had to wait for another one. */
let waited: string[] = [];
let slot: Promise<unknown> = Promise.resolve();
let isBusy = false;
const gate = createServer((request, response) => {
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', () => {
    const body = Buffer.concat(chunks);
    if (isBusy) waited.push(isPage({ text: body.toString() }) ? 'page' : 'request');
    slot = slot.then(() => answer(request, response, body));
  });
});

async function answer(request: IncomingMessage, response: ServerResponse, body: Buffer): Promise<void> {
  if (response.destroyed) return;
  isBusy = true;
  await new Promise<void>((free) => {
    const { hostname, port } = new URL(strict.openaiUrl);
    const { method, url: path, headers } = request;
    const upstream = send({ hostname, port, method, path, headers }, (reply) => {
      response.writeHead(reply.statusCode!, { ...reply.headers, server: 'llama.cpp' });
      reply.pipe(response);
    });
    upstream.on('error', () => response.destroy());
    response.on('close', () => {
      upstream.destroy();
      isBusy = false;
      free();
    });
    upstream.end(body);
  });
}

beforeAll(async () => {
  strict = await startLoopbackServer();
  await new Promise<void>((ready) => gate.listen(0, '127.0.0.1', ready));
  url = `http://127.0.0.1:${(gate.address() as AddressInfo).port}${new URL(strict.openaiUrl).pathname}`;
});
beforeEach(() => {
  waited = [];
});
afterAll(async () => {
  gate.closeAllConnections();
  gate.close();
  await strict.close();
});

const isPage = ({ text }: Pick<Received, 'text'>): boolean => text.includes('Stop the work for this one message.');
const page = `## Task\n${'The user wants three files read in each turn, and all of them were read so far. '.repeat(8)}\n\n## Next\nRead on.`;
const parameters = { type: 'object', properties: { path: { type: 'string' } } };
const tools = [
  { type: 'function' as const, function: { name: 'read_file', description: 'Reads a file.', parameters } },
];

/** An agent with eight turns of four requests each, in a window of 24,000 tokens. @param pauseMs before each message of the user */
async function work(page: Behaviour, pauseMs: number, summaries: 'model' | Summarizer = 'model') {
  const judge = contextWindow(24_000);
  const kinds: string[] = [];
  let round = 0;
  strict.play((request) => {
    const { promptTokens, refusal, cachedTokens } = judge(request);
    kinds.push(refusal ? 'refused' : isPage(request) ? 'page' : round % 4 === 3 ? 'answer' : 'calls');
    if (refusal) return refusal;
    if (isPage(request)) return page.kind === 'answer' ? { ...page, promptTokens, cachedTokens } : page;
    const counted = { promptTokens, cachedTokens, completionTokens: 20 };
    if (round++ % 4 === 3) return { kind: 'answer', text: 'Read.', ...counted };
    const call = { id: `call_${round}`, name: 'read_file', arguments: `{"path":"file-${round}.ts"}` };
    return { kind: 'answer', text: '', calls: [call], ...counted };
  });
  const { session, events } = makeSession({
    window: 24_000,
    summaries,
    // The host's summarizer is there after the first answer.
    engine: (host) =>
      createEngine(
        compressorPlanner(
          validateOptions(compressorOptions, { threshold: 0.5, minimumThreshold: 0 }, 'this test'),
          host,
        ),
        host,
        {
          name: 'compressor',
          stateVersion: 1,
        },
      ),
  });
  const client = new OpenAI({ apiKey: 'x', baseURL: url, fetch: contextFetch(session), maxRetries: 0 });
  const messages: OpenAI.ChatCompletionMessageParam[] = [{ role: 'system', content: 'You are an agent.' }];
  for (let turn = 0; turn < 8; turn++) {
    messages.push({ role: 'user', content: `Request ${turn}: read three files. ${filler(1_500, turn)}` });
    for (let step = 0; step < 4; step++) {
      const reply = await client.chat.completions.create({ model: 'm', messages, tools });
      const { message } = reply.choices[0]!;
      messages.push(message);
      for (const { id } of message.tool_calls ?? [])
        messages.push({ role: 'tool', tool_call_id: id, content: filler(300, `${turn}-${step}`) });
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    await new Promise((resolve) => setTimeout(resolve, pauseMs));
  }
  await session.end();
  return { events, kinds, records: session.records() };
}

it('is asked for a page only between two turns', async () => {
  const { kinds, records } = await work({ kind: 'answer', text: page }, 200);
  expect(kinds).toContain('page');
  kinds.forEach((kind, at) => {
    if (kind === 'page') expect(kinds[at - 1]).toBe('answer');
  });
  expect(kinds).not.toContain('refused');
  expect(records.some(({ modelCalls }) => modelCalls > 0)).toBe(true);
  expect(waited).toEqual([]);
});

// If a page were not ended, the next request would wait forever.
it('ends a page that is not ready when the next request comes', async () => {
  const { kinds, records } = await work({ kind: 'stall', at: 'start' }, 0);
  expect(kinds.filter((kind) => kind === 'page').length).toBeGreaterThan(0);
  expect(kinds.filter((kind) => kind === 'calls' || kind === 'answer')).toHaveLength(32);
  expect(kinds).not.toContain('refused');
  // Rules write where no room is left.
  expect(records.length).toBeGreaterThan(0);
  expect(records.every(({ modelCalls }) => modelCalls === 0)).toBe(true);
});

it('is left alone while it works where the host gave a summarizer, which writes at once', async () => {
  const given = createScriptedSummarizer(writeShortSummary);
  const { kinds, records } = await work({ kind: 'answer', text: page }, 0, given);
  expect(given.calls.length).toBeGreaterThan(0);
  expect(waited).not.toContain('page');
  for (const at of kinds.keys()) if (kinds[at] === 'page') expect(kinds[at - 1]).toBe('answer');
  expect(records.some(({ modelCalls }) => modelCalls > 0)).toBe(true);
});
