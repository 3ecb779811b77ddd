import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type LoopbackServer, startLoopbackServer } from '../../../../test/loopback-server/index.ts';
import { agentKey, unnamedKey } from '../../src/conversations/agent-key.ts';
import { isHeldOut } from '../../src/conversations/conversation.ts';
import { chatLoop } from '../proxy/agent-loops.ts';
import { runningProxy } from '../proxy/running-proxy.ts';
import { scriptedProvider } from '../proxy/scripted-provider.ts';

const scope = 'openai openai-chat';

describe('a share of conversations', () => {
  const heldOut = (share: number): readonly number[] =>
    Array.from({ length: 10_000 }, (_, at) => at).filter((at) =>
      isHeldOut({ scope, key: agentKey({ 'x-session-id': `session ${at}` }, []), chain: ['first'] }, share),
    );

  it('is held out', () => {
    expect([heldOut(0).length, heldOut(1).length]).toEqual([0, 10_000]);
    expect(heldOut(0.1).length).toBeGreaterThan(900);
    expect(heldOut(0.1).length).toBeLessThan(1100);
    // A larger share has the same conversations, and more.
    expect(heldOut(0.2)).toEqual(expect.arrayContaining([...heldOut(0.1)]));
  });

  it('stays the same while a conversation grows, and when its agent summarizes it', () => {
    const key = agentKey({ 'x-session-id': 'one' }, []);
    const [chain, summarized] = [['a'], ['b', 'c']];
    for (const share of [0.1, 0.3, 0.5, 0.7, 0.9])
      expect(isHeldOut({ scope, key, chain: summarized }, share)).toBe(isHeldOut({ scope, key, chain }, share));
    const arms = Array.from({ length: 50 }, (_, at) =>
      isHeldOut({ scope, key: unnamedKey, chain: [`${at}`, 'b'] }, 0.5),
    );
    expect(new Set(arms)).toEqual(new Set([true, false]));
    const later = arms.map((_, at) => isHeldOut({ scope, key: unnamedKey, chain: [`${at}`, 'b', 'c', 'd'] }, 0.5));
    expect(later).toEqual(arms);
  });
});

describe('a conversation that is held out', () => {
  let server: LoopbackServer;
  beforeAll(async () => {
    server = await startLoopbackServer();
  });
  afterAll(() => server.close());

  it.each([
    [0, 64_000, ['hygiene'], false],
    [1, 64_000, [], true],
    [1, 16_000, ['window'], true],
  ])('with a share of %d and a window of %d is compacted: %j', async (holdout, window, triggers, isHeldOut) => {
    const { script, log } = scriptedProvider(64_000, 105);
    server.play(script);
    // 105 rounds have about 57,500 tokens: more than 85 % of the window, less than all of it.
    const { proxy, ...clients } = await runningProxy(server, { holdout, window });
    await chatLoop({ ...clients, history: [], task: 'Read all files.' });
    const [conversation] = proxy.conversations;
    expect(conversation!.isHeldOut).toBe(isHeldOut);
    expect([...new Set(conversation!.compactions.map(({ trigger }) => trigger))]).toEqual(triggers);
    expect(log.refused).toEqual([]);
    const page = await (await fetch(proxy.url)).text();
    expect(page.includes('Held out: compacts only when it must')).toBe(isHeldOut);
    await proxy.close();
  });
});
