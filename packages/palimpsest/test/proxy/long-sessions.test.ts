import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type LoopbackServer, startLoopbackServer } from '../../../../test/loopback-server/index.ts';
import { allLoops } from './all-loops.ts';
import { type RunningProxy, runningProxy } from './running-proxy.ts';
import { scriptedProvider } from './scripted-provider.ts';

let server: LoopbackServer;
beforeAll(async () => {
  server = await startLoopbackServer();
});
afterAll(() => server.close());

/** Tool rounds of a long session, and what its compactions save at least: half of the window after half of the rounds. */
const [rounds, leastSaved] = process.env.PALIMPSEST_DEEP ? [100, 50_000] : [50, 16_000];

/** The tools of a request. Bedrock has them in `toolConfig`. */
const toolsOf = ({ tools, toolConfig }: Readonly<Record<string, unknown>>): string =>
  JSON.stringify(tools ?? toolConfig);

/** Tokens of the declarations of `recall` and `expand`, which the agent would not have sent. */
const declarations = 290;

describe.each(['compressor', 'prune-compact'])('an agent behind the proxy, with %s', (engine) => {
  it.each(Object.entries(allLoops))(`runs ${rounds} tool rounds in a window of 32K on %s`, async (_, loop) => {
    const { log, script } = scriptedProvider(32_000, rounds);
    server.play(script);
    const running: RunningProxy = await runningProxy(server, { config: { engine } });
    const history: object[] = [];
    await loop({ ...running, history, task: 'Read all files.' });
    const [conversation, ...others] = running.proxy.conversations;
    await running.proxy.close();
    expect(server.received.flatMap(({ problems }) => problems)).toEqual([]);
    expect(log.refused).toEqual([]);
    expect(log.prompts).toHaveLength(rounds + 1);
    // The agent ended by itself, and has its whole history.
    expect(JSON.stringify(history.at(-1))).toContain('All done.');
    expect(others).toEqual([]);
    expect(conversation!.requests).toBe(rounds + 1);
    expect(conversation!.compactions.length).toBeGreaterThan(0);
    expect(conversation!.savedTokens + declarations * (rounds + 1)).toBeGreaterThan(leastSaved);
    // Between compactions, a prompt begins with the whole prompt before it.
    const cold = log.prompts.filter(({ cachedTokens }, at) => cachedTokens < (log.prompts[at - 1]?.tokens ?? 0) * 0.95);
    expect(cold.length).toBeLessThanOrEqual(conversation!.compactions.length);
  });
});

describe('an agent that allows an answer as long as the window', () => {
  it.each(Object.entries(allLoops))('is refused no request on %s', async (_, loop) => {
    const { log, script } = scriptedProvider(32_000, 40);
    server.play(script);
    const running = await runningProxy(server);
    await loop({ ...running, history: [], task: 'Read all files.', maxTokens: 32_000 });
    await running.openai.chat.completions.create({
      model: 'm',
      max_tokens: 32_000,
      messages: [{ role: 'user', content: 'Title?' }],
    });
    await running.proxy.close();
    expect(log.refused).toEqual([]);
    expect(log.prompts).toHaveLength(42);
  });
});

describe('an agent behind a proxy with recall', () => {
  it.each(Object.entries(allLoops))('never sees the searches of the model on %s', async (_, loop) => {
    const { log, script } = scriptedProvider(32_000, rounds);
    let searches = 0;
    server.play((request) => {
      const isOffered = toolsOf(request.body).includes('"recall"');
      if (!isOffered || searches > log.prompts.length / 10) return script(request);
      searches++;
      const search = { id: `recall_${searches}`, name: 'recall', arguments: '{"query":"file-3 value7"}' };
      return { kind: 'answer', text: '', calls: [search] };
    });
    const running = await runningProxy(server);
    const history: object[] = [];
    await loop({ ...running, history, task: 'Read all files.' });
    await running.proxy.close();
    const declared = server.received.map(({ body }) => toolsOf(body));
    expect(declared.filter((tools) => tools !== declared[0])).toEqual([]);
    expect(server.received.flatMap(({ problems }) => problems)).toEqual([]);
    expect(log.refused).toEqual([]);
    expect(searches).toBeGreaterThan(2);
    // Each request that the provider got is counted once.
    expect(running.proxy.conversations).toMatchObject([{ requests: server.received.length }]);
    expect(JSON.stringify(history)).not.toContain('recall');
    expect(JSON.stringify(history.at(-1))).toContain('All done.');
  });
});
