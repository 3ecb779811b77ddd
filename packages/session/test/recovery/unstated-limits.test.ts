import type { Message } from '@palimpsest/core';
import { assistant, call, result, user } from '@palimpsest/testkit';
import OpenAI from 'openai';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  type Behaviour,
  contextWindow,
  type LoopbackServer,
  type Received,
  startLoopbackServer,
} from '../../../../test/loopback-server/index.ts';
import { contextFetch } from '../../src/fetch.ts';
import { filler, makeSession } from '../make-session.ts';

let server: LoopbackServer;
beforeAll(async () => {
  server = await startLoopbackServer();
});
afterAll(() => server.close());

/** The window that the session is told; the servers read a quarter of it. Tokens. */
const toldWindow = 64_000;
const realWindow = 16_000;

/** A server's reaction to a request that is too long for it; `null` for any other. */
type Judge = (request: Received, promptTokens: number) => Behaviour | null;

const overflow = (message: string): Behaviour => ({ kind: 'status', status: 400, message });

const servers: Readonly<Record<string, Judge>> = {
  'refuses without stating a limit': (_, tokens) =>
    tokens > realWindow ? overflow('The prompt is too long for this model.') : null,
  'states four times what it reads': (_, tokens) =>
    tokens > realWindow
      ? overflow(
          `This model's maximum context length is ${toldWindow} tokens. Please reduce the length of the messages.`,
        )
      : null,
  'counts characters': ({ text }) =>
    text.length > realWindow * 4
      ? overflow(`Malformed input request: expected maxLength: ${realWindow * 4}, actual: ${text.length}`)
      : null,
  'closes the connection': (_, tokens) => (tokens > realWindow ? { kind: 'close', at: 'start' } : null),
  'cuts prompts silently': (_, tokens) =>
    tokens > realWindow
      ? { kind: 'answer', text: 'Understood.', promptTokens: realWindow - (tokens % 97), completionTokens: 3 }
      : null,
};

/** An agent with some user turns of 24 rounds each, on the real client. The client repeats a broken call, as it does by default. */
async function agent(judge: Judge, begun: number, turns = 3) {
  const count = contextWindow(Number.POSITIVE_INFINITY);
  let refusals = 0;
  let lastRefusal = 0;
  server.play((request, number) => {
    const { promptTokens } = count(request);
    const refusal = judge(request, promptTokens);
    if (!refusal) return { kind: 'answer', text: 'Understood.', promptTokens, completionTokens: 3 };
    refusals++;
    lastRefusal = number;
    return refusal;
  });
  const { session, events } = makeSession({ window: toldWindow });
  const client = new OpenAI({ apiKey: 'test', baseURL: server.openaiUrl, fetch: contextFetch(session), maxRetries: 2 });
  const messages: Message[] = [];
  const round = (name: string, tokens: number): void => {
    messages.push(
      assistant(null, call(name, 'read_file', { path: `src/${name}.ts` })),
      result(name, filler(tokens, name)),
    );
  };
  for (let turn = 0; turn < turns; turn++) {
    messages.push(user(`Request ${turn}: read the next files and report.`));
    // A conversation that was begun elsewhere and is far too long already.
    if (turn === 0) for (let at = 0; at * 1_000 < begun; at++) round(`begun_${at}`, 1_000);
    for (let at = 0; at < 24; at++) {
      await client.chat.completions.create({ model: 'm', messages: messages as OpenAI.ChatCompletionMessageParam[] });
      round(`read_${turn}_${at}`, 900);
    }
    messages.push(assistant('Done.'));
  }
  return { events, refusals, lastRefusal, session };
}

describe('a limit that is not stated', () => {
  it.each([
    ...Object.entries(servers).map(([name, judge]) => ({ name, judge, begun: 0 })),
    {
      name: 'refuses a conversation begun elsewhere',
      judge: servers['refuses without stating a limit']!,
      begun: 30_000,
    },
  ])('is learned from at most three refusals: a server that $name', async ({ judge, begun }) => {
    const { events, refusals, lastRefusal, session } = await agent(judge, begun);
    expect(refusals).toBeGreaterThan(0);
    expect(refusals).toBeLessThanOrEqual(3);
    // None in the later turns.
    expect(lastRefusal).toBeLessThan(24 + refusals);
    expect(session.status().contextLength).toBeLessThan(toldWindow / 2);
    expect(events.filter(({ type }) => type === 'compaction-exhausted')).toEqual([]);
    expect(server.received.flatMap(({ problems }) => problems)).toEqual([]);
  });

  it('that one refusal suggested by mistake is tested, and compactions are as rare as before', async () => {
    let isRefused = false;
    const once: Judge = (_, tokens) => {
      if (isRefused || tokens <= 8_000) return null;
      isRefused = true;
      return overflow('The prompt is too long for this model.');
    };
    const [mistaken, plain] = [await agent(once, 0, 6), await agent(() => null, 0, 6)];
    const compactions = ({ events }: typeof plain): number =>
      events.filter(({ type }) => type === 'checkpoint-commit').length;
    expect(mistaken.refusals).toBe(1);
    expect(mistaken.session.status().contextLength).toBe(toldWindow);
    const after = mistaken.events.slice(mistaken.events.findLastIndex(({ type }) => type === 'request-refused'));
    expect(after.filter(({ type }) => type === 'checkpoint-commit').length).toBeLessThan(40);
    expect(compactions(plain)).toBeGreaterThan(0);
  });

  it('is not tested again after a restart', async () => {
    const { session } = await agent(servers['refuses without stating a limit']!, 0, 6);
    const snapshot = await session.snapshot();
    expect(snapshot.settled).toEqual(['test-model']);
    const restarted = makeSession({ window: toldWindow }).session;
    await restarted.restore(snapshot);
    for (let at = 0; at < 30; at++) {
      const made = await restarted.beforeRequest([user(`Question ${at}`)]);
      restarted.afterResponse({ prompt_tokens: 40 }, made);
    }
    expect(restarted.status().contextLength).toBeLessThanOrEqual(realWindow);
  });
});
