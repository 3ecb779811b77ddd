import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import {
  type Behaviour,
  type LoopbackServer,
  type Received,
  startLoopbackServer,
} from '../../../../test/loopback-server/index.ts';
import { contextFetch } from '../../src/fetch.ts';
import { makeSession, type TestSession } from '../make-session.ts';
import { type Host, hosts } from './inside-clients.ts';
import { toolsIn } from './searching-model.ts';

let server: LoopbackServer;
beforeAll(async () => {
  server = await startLoopbackServer();
});
afterAll(() => server.close());

let made: TestSession;
beforeEach(() => {
  made = makeSession({ recall: true, window: 5_000 });
});

function searched(id: string, query: string, text = ''): Behaviour {
  const calls = [{ id, name: 'recall', arguments: JSON.stringify({ query, limit: 1 }) }];
  return { kind: 'answer', text, calls, promptTokens: 1_000, completionTokens: 10 };
}

function said(text: string): Behaviour {
  return { kind: 'answer', text, promptTokens: 2_000, completionTokens: 5 };
}

/** The messages or items of a request, without marks. */
function listOf({ body }: Received): unknown[] {
  return (body.messages ?? body.input ?? body.contents) as unknown[];
}

/** What the clients throw: the AWS SDK has the status among its metadata, Ollama's client under another name. */
interface AskError {
  readonly status?: number;
  readonly status_code?: number;
  readonly $metadata?: { readonly httpStatusCode: number };
}

/** Each request of a turn has to begin with the one before it, byte for byte. */
function expectStableBytes(received: readonly Received[]): void {
  for (let at = 1; at < received.length; at++) {
    const before = listOf(received[at - 1]!).map((item) => JSON.stringify(item));
    const now = listOf(received[at]!).map((item) => JSON.stringify(item));
    expect(now.slice(0, before.length)).toEqual(before);
  }
}

function expectNoProblems(): void {
  expect(server.received.flatMap(({ problems }) => problems)).toEqual([]);
}

describe('a fetch with recall', () => {
  const body = JSON.stringify({ model: 'm', messages: [{ role: 'user', content: 'Hello' }] });
  const post = (session: TestSession['session']): Promise<Response> =>
    contextFetch(session, { recall: true, fetch: async () => Response.json({ choices: [] }) })(
      'https://api.test/v1/chat/completions',
      { method: 'POST', body },
    );

  it('says that the session needs the option, too', async () => {
    await expect(post(makeSession({ recall: false }).session)).rejects.toThrow('Create it with recall: true');
    expect((await post(makeSession({ recall: true }).session)).status).toBe(200);
  });
});

describe.each(Object.entries(hosts))('recall inside a fetch, on %s', (_, makeHost) => {
  let host: Host;
  beforeEach(() => {
    host = makeHost(server, made.session);
  });

  it('answers a reply that only searches in a further request, and the host sees one message', async () => {
    server.play([searched('r1', '3:5 const value_5', 'Let me look.'), said('It is 35.'), said('You are welcome.')]);
    const reply = await host.ask('What is value_5 of file 3?');
    expect(reply.text).toBe('Let me look.\n\nIt is 35.');
    expect(reply.calls).toEqual([]);
    expect(reply).toMatchObject({ promptTokens: 2_000, completionTokens: 15 });
    expect(['stop', 'completed', 'end_turn', 'STOP']).toContain(reply.finish);
    expect(server.received[1]!.text).toContain('3:5 const value_5 = compute(35);');
    expect(JSON.stringify(host.history)).not.toContain('"recall"');
    await host.ask('Thanks.');
    // What the model wrote and read is back in its place, in the same bytes.
    expectStableBytes(server.received);
    expect(server.received[2]!.text).toContain('Quoted from what is hidden.');
    expectNoProblems();
  });

  it('tells the size of the last prompt after several searches, streamed or not, and adds up what the model wrote', async () => {
    const sizes = [1_000, 3_000, 6_000, 9_000];
    server.play((_request, number) => {
      const usage = { promptTokens: sizes[number]!, cachedTokens: sizes[number - 1] ?? 0, completionTokens: 10 };
      if (number === 3) return { kind: 'answer', text: 'Found.', ...usage };
      const calls = [{ id: `r${number}`, name: 'recall', arguments: '{"query":"value_5"}' }];
      return { kind: 'answer', text: number === 1 ? 'Once more.' : '', calls, ...usage };
    });
    const { promptTokens, completionTokens } = await host.ask('Look.');
    expect(server.received).toHaveLength(4);
    expect([promptTokens, completionTokens]).toEqual([9_000, 40]);
  });

  it('hands on only the calls of the host of a reply with both', async () => {
    const both: Behaviour = {
      kind: 'answer',
      text: 'Reading.',
      calls: [
        { id: 'r1', name: 'recall', arguments: '{"query":"3:5 const value_5"}' },
        { id: 'h1', name: 'read_file', arguments: '{"path":"src/x.ts"}' },
        { id: 'e1', name: 'expand', arguments: '{"ref":"00000000"}' },
      ],
    };
    server.play([both, said('Both are here.'), said('Yes.')]);
    const reply = await host.ask('Compare.');
    expect(reply.calls).toEqual([{ id: 'h1', name: 'read_file' }]);
    expect(reply.text).toBe('Reading.');
    expect(server.received.length).toBe(1);
    expect((await host.answer({ h1: 'The text of x.' })).text).toBe('Both are here.');
    const { text } = server.received[1]!;
    expect(text).toContain('The text of x.');
    expect(text).toContain('3:5 const value_5 = compute(35);');
    expect(text).toContain('No hidden text of this conversation has this ref.');
    await host.ask('Sure?');
    expectStableBytes(server.received.slice(1));
    expectNoProblems();
  });

  it('searches several times, then calls a tool of the host', async () => {
    const read: Behaviour = {
      kind: 'answer',
      text: '',
      calls: [
        { id: 'h1', name: 'read_file', arguments: '{"path":"a"}' },
        { id: 'r3', name: 'recall', arguments: '{"query":"value_7"}' },
      ],
    };
    server.play([searched('r1', 'value_5'), searched('r2', 'value_6'), read, said('Done.'), said('Bye.')]);
    const reply = await host.ask('Look.');
    expect(reply.calls).toEqual([{ id: 'h1', name: 'read_file' }]);
    await host.answer({ h1: 'Text of a.' });
    await host.ask('Good.');
    expect(server.received.length).toBe(5);
    expectStableBytes(server.received.slice(0, 3));
    expectStableBytes(server.received.slice(3));
    expectNoProblems();
  });

  it('stops after eight further requests, and never hands on a call of ours', async () => {
    server.play((_request, number) => searched(`r${number}`, `value_${number}`));
    const reply = await host.ask('Search forever.');
    expect(server.received.length).toBe(9);
    expect(JSON.stringify(toolsIn(server.received[8]!))).not.toContain('recall');
    expect(reply.calls).toEqual([]);
    expect(reply.finish).not.toBe('tool_calls');
    expect(reply.finish).not.toBe('tool_use');
    server.play([said('I stop here.')]);
    await host.ask('Stop.');
    expectNoProblems();
  });

  it('returns an error of a further request as it is, before a word was passed on', async () => {
    server.play([searched('r1', 'value_5'), { kind: 'status', status: 429, retryAfterSeconds: 7 }]);
    const error = (await host.ask('Look.').catch((reason: unknown) => reason)) as AskError;
    expect(error.status ?? error.status_code ?? error.$metadata?.httpStatusCode).toBe(429);
  });

  it('declares the same tools from the first request on, through a compaction, a search and undo', async () => {
    const old = host.history.splice(0, host.history.length - 2);
    server.play((_request, number) => (number === 3 ? searched('r1', '3:5 const value_5') : said('Hello.')));
    await host.ask('Hello.');
    await host.ask('And now?');
    host.history.unshift(...old);
    await host.ask('What is value_5 of file 3?');
    await made.session.undo();
    await host.ask('Thanks.');
    const declared = server.received.map((request) => JSON.stringify(toolsIn(request)));
    expect(declared.length).toBeGreaterThan(3);
    expect(declared[0]).toMatch(/"recall".*"expand".*"read_file"/);
    expect(new Set(declared).size).toBe(1);
    expect(made.session.records().length).toBeGreaterThan(0);
    expectStableBytes(server.received.slice(0, 2));
    expectNoProblems();
  });

  it('keeps the conversation valid after the host edited it', async () => {
    server.play([searched('r1', 'value_5'), said('It is 35.'), said('Yes.'), said('No.')]);
    await host.ask('What is value_5?');
    host.history.splice(2, 2);
    await host.ask('Sure?');
    expect(server.received[2]!.text).toContain('Quoted from what is hidden.');
    host.history.splice(-3, 1);
    await host.ask('Again?');
    expectNoProblems();
  });
});
