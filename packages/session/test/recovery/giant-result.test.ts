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

/** An unfinished turn that ends with these results. */
function underWay(...results: string[]): Message[] {
  return [
    ...turns(6),
    user('Read the log, please.'),
    assistant(null, ...results.map((_, at) => call(`big_${at}`, 'read_file', { path: `log-${at}` }))),
    ...results.map((text, at) => result(`big_${at}`, text)),
  ];
}

/** Results are not shortened when they arrive. */
const whole = { shapeResults: false };

const giant = `first line of the log\n${filler(30_000, 'log')}\nlast line of the log`;

describe('a tool result that is larger than the window', () => {
  it('is cut and reported when the turn would otherwise end', async () => {
    const { session, events } = makeSession(whole);
    const messages = underWay(giant);
    const made = await session.beforeRequest(messages);
    expect(made.info.tokens).toBeLessThanOrEqual(8_000);
    const text = contentText((made.messages.at(-1) as Message).content);
    expect(text).toMatch(/^first line of the log\n/);
    expect(text).toMatch(/last line of the log$/);
    expect(text).toMatch(/characters cut here/);
    expect(events.filter(({ type }) => type === 'results-cut')).toMatchObject([{ results: 1 }]);
    expect(session.records().at(-1)).toMatchObject({ trigger: 'results', modelCalls: 0 });
    // The caller's history is unchanged, and the sent messages stay the same.
    expect(messages.at(-1)!.content).toBe(giant);
    session.afterResponse({ prompt_tokens: made.info.tokens }, made);
    const next = await session.beforeRequest([...messages, assistant('I read it.'), user('And?')]);
    expect(next.info.tokens).toBeLessThanOrEqual(8_000);
  });

  it('is cut no more than necessary, and results of one size equally', async () => {
    const { session } = makeSession(whole);
    const made = await session.beforeRequest(underWay(filler(9_000, 'a'), 'small', filler(9_000, 'b')));
    const [one, small, two] = made.messages.slice(-3).map(({ content }) => contentText(content as string));
    expect(small).toBe('small');
    expect(Math.abs(one!.length - two!.length)).toBeLessThan(one!.length / 5);
    expect(made.info.tokens).toBeLessThanOrEqual(8_000);
    expect(made.info.tokens).toBeGreaterThan(5_000);
  });

  it('is cut after a refusal with and without a stated limit', async () => {
    for (const message of ["This model's maximum context length is 8,000 tokens.", 'prompt is too long']) {
      const { session, events } = makeSession({ ...whole, window: message.includes('8,000') ? 0 : 100_000 });
      const sizes: number[] = [];
      await session.run(underWay(giant), async (messages) => {
        const size = JSON.stringify(messages).length;
        sizes.push(size);
        if (size > 40_000) throw Object.assign(new Error(message), { status: 400 });
        return { usage: { prompt_tokens: Math.round(size / 3.5), completion_tokens: 1 } };
      });
      expect(sizes.length).toBeLessThanOrEqual(4);
      expect(events.some(({ type }) => type === 'results-cut')).toBe(true);
    }
  });

  it('is not cut when something else can be removed, or when it fits', async () => {
    const { session, events } = makeSession();
    await session.beforeRequest(underWay(filler(3_000, 'fits')));
    expect(events.filter(({ type }) => type === 'results-cut')).toEqual([]);
  });

  it('stays cut after a restart, and the cut can be undone', async () => {
    const store = memoryStore();
    const first = makeSession({ ...whole, store });
    const messages = underWay(giant);
    const sent = await first.session.beforeRequest(messages);
    await first.session.end();
    const again = makeSession({ ...whole, store });
    const made = await again.session.beforeRequest(messages);
    expect(JSON.stringify(made.messages)).toBe(JSON.stringify(sent.messages));
    const cut = again.session.records().find(({ trigger }) => trigger === 'results')!.number;
    expect(await again.session.undo()).toBe(cut);
  });

  it('does not stop an agent on the real client', async () => {
    const judge = contextWindow(8_000);
    const refused: number[] = [];
    server.play((request) => {
      const { promptTokens, refusal } = judge(request);
      if (refusal) refused.push(promptTokens);
      return refusal ?? { kind: 'answer', text: 'Understood.', promptTokens, completionTokens: 3 };
    });
    const { session } = makeSession();
    const client = new OpenAI({
      apiKey: 'test',
      baseURL: server.openaiUrl,
      fetch: contextFetch(session),
      maxRetries: 0,
    });
    const messages = underWay(giant) as OpenAI.ChatCompletionMessageParam[];
    for (const next of ['And the next one?', 'Thank you.']) {
      const reply = await client.chat.completions.create({ model: 'm', messages });
      expect(reply.choices[0]!.message.content).toBe('Understood.');
      messages.push({ role: 'assistant', content: 'Understood.' }, { role: 'user', content: next });
    }
    expect(refused).toEqual([]);
    expect(server.received.flatMap(({ problems }) => problems)).toEqual([]);
  });
});
