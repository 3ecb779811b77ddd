import type OpenAI from 'openai';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type LoopbackServer, startLoopbackServer } from '../../../../test/loopback-server/index.ts';
import { chatLoop } from './agent-loops.ts';
import { runningProxy } from './running-proxy.ts';
import { scriptedProvider } from './scripted-provider.ts';

let server: LoopbackServer;
beforeAll(async () => {
  server = await startLoopbackServer();
});
afterAll(() => server.close());

const task = 'Read all files.';

describe('a request that surely stays as it is', () => {
  it('is sent before the session looks at it, which sees it and its usage with the reply', async () => {
    const { script } = scriptedProvider(200_000, 4);
    server.play((request, number) => (number === 3 ? { kind: 'stall', at: 'start' } : script(request)));
    const running = await runningProxy(server, { window: 200_000 });
    const history: OpenAI.ChatCompletionMessageParam[] = [];
    await chatLoop({ ...running, history, task, rounds: 3 });
    const stop = new AbortController();
    const body = { model: 'm', max_tokens: 1_000, messages: history };
    const stalled = running.openai.chat.completions.create(body, { signal: stop.signal });
    await server.arrival(4);
    const [before] = running.proxy.conversations;
    // The replies before it have reported how much of the prompt came from the cache.
    expect(before).toMatchObject({ requests: 3, cachedShare: expect.closeTo(0.7, 0) });
    expect(server.received[3]!.body).toEqual(body);
    stop.abort();
    await expect(stalled).rejects.toThrow();
    await chatLoop({ ...running, history, task, rounds: 2 });
    await running.proxy.close();
    expect(running.proxy.conversations).toMatchObject([{ requests: 5 }]);
  });

  it('and that the provider refuses after all, is compacted and repeated', async () => {
    const { log, script } = scriptedProvider(32_000, 70);
    server.play(script);
    const running = await runningProxy(server, { window: 400_000 });
    const history: object[] = [];
    await chatLoop({ ...running, history, task });
    await running.proxy.close();
    expect(log.refused).toHaveLength(1);
    expect(JSON.stringify(history.at(-1))).toContain('All done.');
    expect(server.received.flatMap(({ problems }) => problems)).toEqual([]);
    expect(running.proxy.conversations).toHaveLength(1);
  });
});
