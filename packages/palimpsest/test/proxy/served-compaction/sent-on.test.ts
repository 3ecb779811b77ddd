import OpenAI from 'openai';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type LoopbackServer, startLoopbackServer } from '../../../../../test/loopback-server/index.ts';
import { withBlock } from '../../../src/proxy/served-compaction/anthropic-answers.ts';
import { responsesLoop } from '../agent-loops.ts';
import { type BetaParam, betas, compact, refusing, talkative, task, withProxy, work } from './beta-client.ts';

let server: LoopbackServer;
beforeAll(async () => {
  server = await startLoopbackServer();
});
afterAll(() => server.close());

describe('an idempotency key', () => {
  it('is only on the request as the client sent it', async () => {
    server.play(refusing(talkative('## Goal\nThe page of the model.').script));
    const messages: BetaParam[] = [{ role: 'user', content: task }];
    await withProxy(server, { summaries: 'model' }, async ({ anthropic }) => {
      await work({ anthropic, messages }, 20);
      const headers = { 'idempotency-key': 'once' };
      const body = { model: 'm', max_tokens: 1_000, messages, betas, context_management: compact };
      await anthropic.beta.messages.create(body, { headers });
      const foreign: BetaParam[] = [
        { role: 'user', content: 'Read.' },
        { role: 'assistant', content: [{ type: 'compaction', content: 'Two files were read.' }] },
        { role: 'user', content: 'Go on.' },
      ];
      const before = server.received.length;
      await anthropic.beta.messages.create({ model: 'n', max_tokens: 1_000, messages: foreign }, { headers });
      const keys = server.received.slice(before).map((request) => request.headers['idempotency-key']);
      expect(keys).toEqual(['once', undefined]);
    });
    const marked = server.received.filter((request) => request.headers['idempotency-key']);
    // The upstream had already refused the betas of the first one.
    expect(marked).toHaveLength(1);
    expect(server.received.some(({ text }) => text.includes('The page of the model.'))).toBe(true);
  });
});

it('the summary of POST /responses/compact is stored nowhere, and is streamed, as a ChatGPT login needs it', async () => {
  server.play(talkative('## Goal\nThe page of the model.').script);
  await withProxy(server, { compaction: 'serve', summaries: 'model' }, async (running) => {
    const history: object[] = [];
    await responsesLoop({ ...running, history, task, rounds: 25 });
    const before = server.received.length;
    const account = new OpenAI({
      apiKey: 'chatgpt-token',
      baseURL: `${running.proxy.url}/openai/v1`,
      maxRetries: 0,
      defaultHeaders: { 'chatgpt-account-id': 'account-1' },
    });
    const { output, usage } = await account.responses.compact({ model: 'm', input: history as never });
    expect(JSON.stringify(output.at(-1))).toContain('The page of the model.');
    expect(usage.output_tokens).toBe(70);
    const [summary, ...others] = server.received.slice(before);
    expect(others).toEqual([]);
    expect(summary!.body).toMatchObject({ store: false, stream: true });
    expect(summary!.problems).toEqual([]);
  });
});

it('a null in the usage of a stream is not a number of a step', () => {
  const edit = withBlock({ type: 'compaction' }, { input_tokens: 1, output_tokens: 2 });
  edit.event({ type: 'message_start', message: { usage: { input_tokens: 12, output_tokens: 1 } } });
  const [{ usage }] = edit.event({ type: 'message_delta', usage: { input_tokens: null, output_tokens: 5 } }) as [
    { usage: { iterations: object[] } },
  ];
  expect(usage.iterations[1]).toMatchObject({ input_tokens: 12, output_tokens: 5 });
});
