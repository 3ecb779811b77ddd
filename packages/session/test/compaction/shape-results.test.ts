import { contentText, type Message } from '@palimpsest/core';
import { assistant, call, result, user } from '@palimpsest/testkit';
import OpenAI from 'openai';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { contextWindow, type LoopbackServer, startLoopbackServer } from '../../../../test/loopback-server/index.ts';
import { contextFetch } from '../../src/fetch.ts';
import { filler, makeSession, turns } from '../make-session.ts';
import { memoryStore } from '../persistence/memory-store.ts';

let server: LoopbackServer;
beforeAll(async () => {
  server = await startLoopbackServer();
});
afterAll(() => server.close());

const round = (name: string, text: string, tool = 'bash'): Message[] => [
  assistant(null, call(name, tool, tool === 'bash' ? { command: `make ${name}` } : { path: `src/${name}.ts` })),
  result(name, text),
];
const log = (tokens: number, name: string): string =>
  `${filler(tokens / 2, name)}\nsrc/rare-${name}.ts(7,3): error TS2345: Argument of type 'Widget' is not assignable.\n${filler(tokens / 2, `${name}b`)}`;
const lastText = (messages: readonly object[]): string => contentText((messages.at(-1) as Message).content);

describe('a tool result of five times the window', () => {
  it.each([true, false])('does not end the turn, and recall reads it (shapeResults: %s)', async (shapeResults) => {
    const judge = contextWindow(8_000);
    const refused: number[] = [];
    server.play((request) => {
      const { promptTokens, refusal } = judge(request);
      if (refusal) refused.push(promptTokens);
      return refusal ?? { kind: 'answer', text: 'Understood.', promptTokens, completionTokens: 3 };
    });
    const { session } = makeSession({ recall: true, shapeResults });
    const fetch = contextFetch(session, { recall: true });
    const client = new OpenAI({ apiKey: 'test', baseURL: server.openaiUrl, fetch, maxRetries: 0 });
    const messages = [...turns(4), user('Build it.'), ...round('all', log(40_000, 'all'))];
    for (const next of ['And now?', 'Thank you.']) {
      const { choices } = await client.chat.completions.create({ model: 'm', messages: messages as never });
      expect(choices[0]!.message.content).toBe('Understood.');
      messages.push(assistant('Understood.'), user(next));
    }
    expect(refused).toEqual([]);
    const ref = [...server.received[0]!.text.matchAll(/\[ref ([0-9a-f]{8})\]/g)].at(-1)?.[1];
    const expanded = await session.callTool('expand', { ref, pattern: 'rare-all' });
    expect(expanded).toContain('error TS2345');
    expect(await session.callTool('recall', { query: 'value_900' })).toContain('value_900');
  });
});

describe('results shaped on arrival', () => {
  it('are excerpts with a ref from the first request on, and no prefix changes', async () => {
    const { session, events } = makeSession({ window: 32_000, recall: true, shapeResults: true });
    const tools = await session.tools();
    const messages: Message[] = [user('Build everything.')];
    let before: string[] = [];
    for (let at = 0; at < 4; at++) {
      messages.push(...round(`small_${at}`, filler(500, at)), ...round(`large_${at}`, log(5_000, `n${at}`)));
      const made = await session.beforeRequest(messages, { tools });
      session.afterResponse({ prompt_tokens: made.info.tokens }, made);
      const text = lastText(made.messages);
      expect(text).toMatch(/^\[bash\] .*; excerpt, [\d,]+ of [\d,]+ lines:\n/);
      expect(text).toMatch(/\[ref [0-9a-f]{8}\]$/);
      expect(text).toContain(`rare-n${at}.ts(7,3): error TS2345`);
      expect(text.length / 4).toBeLessThan(3_600);
      expect(text.length / 4).toBeGreaterThan(1_200);
      const sent = made.messages.map((message) => JSON.stringify(message));
      expect(sent.slice(0, before.length)).toEqual(before);
      before = sent;
    }
    expect(events.filter(({ type }) => type === 'results-shaped')).toHaveLength(4);
    // They share one checkpoint.
    expect(session.records()).toMatchObject([{ trigger: 'arrival', modelCalls: 0 }]);
    expect(session.status().checkpoints).toHaveLength(1);
    // Without the tools, there are no refs.
    const plain = await session.beforeRequest(messages);
    expect(lastText(plain.messages)).not.toContain('[ref');
    expect(messages.at(-1)!.content).toBe(log(5_000, 'n3'));
  });

  it.each([
    ['bash', 10_000, 0],
    ['bash', 11_500, 1],
    ['read_file', 10_000, 0],
    ['read_file', 11_500, 1],
  ])(
    'are by default those of more than a third of the window: %s with %i tokens of 32,000',
    async (tool, size, many) => {
      const { session, events } = makeSession({ window: 32_000 });
      const messages = [user('Look.'), ...round('one', filler(size, 'one'), tool)];
      const made = await session.beforeRequest(messages);
      expect(events.flatMap((event) => (event.type === 'results-shaped' ? [event.results] : []))).toEqual(
        many ? [1] : [],
      );
      expect(made.messages.at(-1) === messages.at(-1)).toBe(many === 0);
    },
  );

  it('do not include files up to their own limit, results that were sent before, and results of protected tools', async () => {
    const { session } = makeSession({ window: 64_000, shapeResults: { at: 0.05, files: 0.1 } });
    const messages = [
      user('Look.'),
      ...round('old', log(5_000, 'old')),
      assistant('I saw it.'),
      user('Go on.'),
      assistant(
        null,
        call('one', 'read_file', { path: 'a.ts' }),
        call('two', 'read_file', { path: 'b.ts' }),
        call('three', 'memory', { command: 'view' }),
      ),
      result('one', filler(5_000, 'one')),
      result('two', filler(9_000, 'two')),
      result('three', filler(4_000, 'three')),
    ];
    const made = await session.beforeRequest(messages);
    const whole = made.messages.map((message, at) => message === messages[at]);
    expect(whole).toEqual([...Array.from({ length: 6 }, () => true), true, false, true]);
  });

  it('stay shaped after a restart', async () => {
    const store = memoryStore();
    const messages = [user('Build.'), ...round('one', log(5_000, 'one'))];
    const first = makeSession({ window: 32_000, shapeResults: true, store });
    const sent = await first.session.beforeRequest(messages);
    await first.session.end();
    const again = makeSession({ window: 32_000, store });
    const grown = [...messages, assistant('Built.'), user('And now?')];
    const made = await again.session.beforeRequest(grown);
    expect(JSON.stringify(made.messages.slice(0, 3))).toBe(JSON.stringify(sent.messages));
  });
});
