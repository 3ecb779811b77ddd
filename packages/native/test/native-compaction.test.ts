import Anthropic from '@anthropic-ai/sdk';
import { compressor } from '@palimpsest/compressor';
import type { Message } from '@palimpsest/core';
import { anthropic, openaiResponses } from '@palimpsest/formats';
import { createRegistry } from '@palimpsest/registry';
import { createSession, type Session } from '@palimpsest/session';
import { contextFetch } from '@palimpsest/session/fetch';
import OpenAI from 'openai';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { type NativeEvent, nativeCompaction, nativeEngine } from '../src/index.ts';
import { type CompactingServer, startCompactingServer, tokenOf } from './compacting-server.ts';

let server: CompactingServer;
beforeAll(async () => {
  server = await startCompactingServer();
});
afterAll(() => server.close());
let events: NativeEvent[];
let session: Session;
let clients: Readonly<Record<Provider, (history: readonly Message[]) => Promise<string>>>;
beforeEach(() => {
  server.reset();
  server.behind.play(() => ({ kind: 'answer', text: 'Noted.' }));
  events = [];
  session = makeSession();
  clients = clientsOf(session);
});

type Provider = 'OpenAI' | 'Anthropic';
const providers: readonly Provider[] = ['OpenAI', 'Anthropic'];
const handoff = '[CONTEXT HANDOFF';
const rule = 'Never touch the folder vendor.';

function makeSession(): Session {
  const registry = createRegistry({ plugins: [nativeEngine(compressor)] });
  const engines = { native: { minimumThreshold: 0, threshold: 0.6 } };
  return createSession({
    engine: (host) => registry.create({ engine: 'native', engines }, host),
    model: { id: 'm', contextLength: 6_000 },
    summaries: 'rules',
    recall: true,
  });
}

/** The real clients on one session. Each call sends a whole history, and returns the answer; every other one is streamed. */
function clientsOf(own: Session, timeoutMs = 10_000): typeof clients {
  const native = nativeCompaction({ timeoutMs, onEvent: (event) => events.push(event) });
  const fetch = contextFetch(own, { native });
  const openai = new OpenAI({ apiKey: 'test', baseURL: server.openaiUrl, fetch, maxRetries: 0 });
  const claude = new Anthropic({ apiKey: 'test', baseURL: server.anthropicUrl, fetch, maxRetries: 0 });
  const system = 'You are a coding agent.';
  return {
    async OpenAI(history) {
      const { input } = openaiResponses.fromMessages(history);
      const body = { model: 'm', instructions: system, input: input as OpenAI.Responses.ResponseInputItem[] };
      const reply = isStreamed(history)
        ? await openai.responses.stream({ ...body, store: false }).finalResponse()
        : await openai.responses.create({ ...body, store: false });
      return reply.output_text;
    },
    async Anthropic(history) {
      const messages = anthropic.fromMessages(history).messages as Anthropic.MessageParam[];
      const body = { model: 'm', max_tokens: 100, system, messages };
      const reply = isStreamed(history)
        ? await claude.messages.stream(body).finalMessage()
        : await claude.messages.create(body);
      return reply.content.map((block) => (block.type === 'text' ? block.text : '')).join('');
    },
  };
}

const isStreamed = (history: readonly Message[]): boolean => Math.floor(history.length / 4) % 2 === 1;

/** A turn of about 400 tokens in which a file is read. */
function turn(number: number): Message[] {
  const id = `call_${number}`;
  const lines = Array.from({ length: 30 }, (_, line) => `const value_${number}_${line} = ${number * line};`);
  return [
    { role: 'user', content: number === 0 ? `${rule} Read file 0.` : `Read file ${number}.` },
    {
      role: 'assistant',
      content: null,
      tool_calls: [{ id, type: 'function', function: { name: 'read_file', arguments: `{"path":"src/${number}.ts"}` } }],
    },
    { role: 'tool', tool_call_id: id, content: lines.join('\n') },
    { role: 'assistant', content: `File ${number} has values.` },
  ];
}

const history = (turns: number): Message[] => Array.from({ length: turns }, (_, number) => turn(number)).flat();
const asking = (turns: number): Message[] => [
  ...history(turns),
  { role: 'user', content: `What now, after ${turns}?` },
];
const itemsOf = (body: Readonly<Record<string, unknown>>): readonly Readonly<Record<string, unknown>>[] =>
  (body.input ?? body.messages) as readonly Readonly<Record<string, unknown>>[];

describe.each(providers)('the compaction of %s', (provider) => {
  it('goes out in front of the handoff, from one compaction to the next', async () => {
    for (let turns = 1; turns <= 30; turns++) expect(await clients[provider](asking(turns))).toBe('Noted.');
    expect(server.problems).toEqual([]);
    const compactions = session.records().length;
    expect(compactions).toBeGreaterThan(1);
    expect(events.map(({ type }) => type)).toEqual(Array.from({ length: compactions }, () => 'native-compaction'));
    expect(server.asked.length).toBe(compactions);
    // The second compaction begins with what was sent after the first one.
    const [first, second] = server.asked.map(itemsOf);
    expect(first!.some((item) => tokenOf(item) !== null)).toBe(false);
    expect(second!.map(tokenOf).filter((token) => token !== null)).toEqual([server.made[0]!.token]);
    expect(second!.length).toBeLessThan(history(30).length);
    const last = itemsOf(server.bodies.at(-1)!);
    const at = last.findIndex((item) => tokenOf(item) === server.made.at(-1)!.token);
    expect(at).toBeGreaterThanOrEqual(0);
    expect(JSON.stringify(last[at + 1])).toContain(handoff);
    expect(JSON.stringify(last).split(handoff).length - 1).toBe(1);
    expect(JSON.stringify(last)).toContain('What now, after 30?');
    expect(JSON.stringify(last).length).toBeLessThan(JSON.stringify(asking(30)).length / 2);
    // Between two compactions, a request begins with the bytes of the one before.
    const changed = server.bodies.filter((body, number) => {
      const before = number === 0 ? [] : itemsOf(server.bodies[number - 1]!).slice(0, -1);
      const now = itemsOf(body);
      return before.some((item, index) => JSON.stringify(item) !== JSON.stringify(now[index]));
    });
    expect(changed.length).toBeLessThanOrEqual(compactions);
  });

  it('does not continue from messages that the host has changed', async () => {
    let turns = 1;
    for (; server.asked.length === 0; turns++) await clients[provider](asking(turns));
    const edited = (): readonly Message[] => [{ role: 'user', content: 'Read nothing.' }, ...asking(turns).slice(1)];
    for (; server.asked.length === 1; turns++) await clients[provider](edited());
    expect(itemsOf(server.asked[1]!).map(tokenOf).filter(Boolean)).toEqual([]);
    expect(JSON.stringify(server.asked[1])).toContain('Read nothing.');
    expect(server.problems).toEqual([]);
  });

  it('hides nothing from recall', async () => {
    await clients[provider](asking(12));
    const sent = JSON.stringify(server.bodies.at(-1));
    expect(server.made[0]!.hidden).toContain('value_2_7');
    expect(sent).not.toContain('const value_2_7 ');
    expect(await session.callTool('recall', { query: 'value_2_7' })).toContain('const value_2_7 = 14;');
  });

  it('is undone together with the handoff', async () => {
    await clients[provider](asking(12));
    expect(itemsOf(server.bodies[0]!).some((item) => tokenOf(item) !== null)).toBe(true);
    session.updateModel({ id: 'm', contextLength: 100_000 });
    expect(await session.undo()).not.toBeNull();
    await clients[provider](asking(12));
    const sent = itemsOf(server.bodies.at(-1)!);
    expect(sent.some((item) => tokenOf(item) !== null)).toBe(false);
    expect(JSON.stringify(sent)).not.toContain(handoff);
    expect(JSON.stringify(sent)).toContain('const value_2_7 ');
    expect(server.problems).toEqual([]);
  });

  it.each(['error', 'empty', 'stalls'] as const)('loses nothing when it fails: %s', async (compacting) => {
    server.compacting = compacting;
    clients = clientsOf(session, 300);
    for (const turns of [12, 13]) expect(await clients[provider](asking(turns))).toBe('Noted.');
    expect(server.problems).toEqual([]);
    expect(events.map(({ type }) => type)).toEqual(session.records().map(() => 'native-compaction-failed'));
    expect(server.asked.length).toBe(session.records().length);
    for (const body of server.bodies) {
      expect(itemsOf(body).some((item) => tokenOf(item) !== null)).toBe(false);
      expect(JSON.stringify(body)).toContain(handoff);
      expect(JSON.stringify(body)).toContain(rule);
    }
    expect(JSON.stringify(server.bodies.at(-1))).toContain('What now, after 13?');
  });

  it('is made once for requests that overlap', async () => {
    await Promise.all([clients[provider](asking(12)), clients[provider](asking(12))]);
    expect(server.asked.length).toBe(1);
    expect(server.bodies.map((body) => itemsOf(body).some((item) => tokenOf(item) !== null))).toEqual([true, true]);
  });

  it('is asked for again a minute after an error that passes, and ends its call at the timeout', async () => {
    server.compacting = 'stalls';
    clients = clientsOf(session, 300);
    await clients[provider](asking(12));
    await expect.poll(() => server.closed).toBe(1);
    server.compacting = 'well';
    await clients[provider](asking(12));
    expect(server.asked.length).toBe(1);
    const now = vi.spyOn(Date, 'now').mockReturnValue(Date.now() + 60_000);
    await clients[provider](asking(12));
    now.mockRestore();
    expect(server.asked.length).toBe(2);
    expect(itemsOf(server.bodies.at(-1)!).some((item) => tokenOf(item) !== null)).toBe(true);
  });

  it('is left out at once when the provider rejects it, and in the requests after that', async () => {
    server.compacting = 'invented';
    for (const turns of [12, 13]) expect(await clients[provider](asking(turns))).toBe('Noted.');
    expect(server.problems).toEqual([expect.stringContaining('not made here')]);
    expect(events.map(({ type }) => type)).toEqual(['native-compaction', 'native-compaction-failed']);
    expect(server.bodies.length).toBe(2);
    for (const body of server.bodies) expect(JSON.stringify(body)).toContain(handoff);
  });

  it('ends with the call that it is made for', async () => {
    server.compacting = 'stalls';
    const stopped = new AbortController();
    const fetch = contextFetch(session, { native: nativeCompaction() });
    const client = new OpenAI({ apiKey: 'test', baseURL: server.openaiUrl, fetch, maxRetries: 0 });
    const { input } = openaiResponses.fromMessages(asking(12));
    const running = client.responses.create(
      { model: 'm', input: input as OpenAI.Responses.ResponseInputItem[] },
      { signal: stopped.signal },
    );
    const ended = expect(running).rejects.toThrow(/abort/i);
    while (server.asked.length === 0) await new Promise((resolve) => setImmediate(resolve));
    stopped.abort();
    await ended;
    expect(server.bodies).toEqual([]);
  });
});

describe.each([
  ['OpenAI', 'Anthropic'],
  ['Anthropic', 'OpenAI'],
] as const)('a session that moves from %s to %s', (from, to) => {
  it('keeps the work record, the rules and the request, and nothing of the other provider', async () => {
    await clients[from](asking(12));
    const [before] = server.bodies;
    const record = handoffIn(before!);
    server.compacting = 'error';
    expect(await clients[to](asking(12))).toBe('Noted.');
    const after = server.bodies[1]!;
    expect(handoffIn(after)).toBe(record);
    expect(record).toContain(rule);
    expect(itemsOf(after).some((item) => tokenOf(item) !== null)).toBe(false);
    expect(JSON.stringify(after)).toContain('What now, after 12?');
    expect(session.records().length).toBe(1);
    expect(server.problems).toEqual([]);
    // The next compaction is the other provider's own, over the caller's messages.
    server.compacting = 'well';
    for (let turns = 13; turns <= 20; turns++) await clients[to](asking(turns));
    expect(session.records().length).toBeGreaterThan(1);
    expect(itemsOf(server.bodies.at(-1)!).map(tokenOf)).toContain(server.made.at(-1)!.token);
    expect(itemsOf(server.asked.at(-1)!).some((item) => tokenOf(item) !== null)).toBe(false);
    expect(JSON.stringify(server.bodies.at(-1))).toContain(rule);
    expect(server.problems).toEqual([]);
  });
});

/** The text of the handoff in a body. */
function handoffIn(body: Readonly<Record<string, unknown>>): string {
  const texts: string[] = [];
  JSON.stringify(body, (_, value: unknown) => {
    if (typeof value === 'string' && value.startsWith(handoff)) texts.push(value);
    return value;
  });
  return texts.join('\n');
}
