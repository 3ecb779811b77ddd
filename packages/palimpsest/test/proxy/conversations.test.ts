import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type LoopbackServer, startLoopbackServer } from '../../../../test/loopback-server/index.ts';
import { readableState } from '../../../../test/stored-state.ts';
import { folderStore } from '../../src/conversations/conversation-store.ts';
import { chatLoop, messagesLoop } from './agent-loops.ts';
import { runningProxy } from './running-proxy.ts';
import { scriptedProvider } from './scripted-provider.ts';

let server: LoopbackServer;
let folder: string;
beforeAll(async () => {
  server = await startLoopbackServer();
  folder = mkdtempSync(join(tmpdir(), 'palimpsest-proxy-'));
});
afterAll(async () => {
  await server.close();
  rmSync(folder, { recursive: true, force: true });
});

const task = 'Read all files.';

describe('conversations behind one proxy', () => {
  it('a title is passed untouched, and a sub-agent has a conversation of its own', async () => {
    const { log, script } = scriptedProvider(32_000, 70);
    server.play(script);
    const running = await runningProxy(server);
    const history: object[] = [];
    await chatLoop({ ...running, history, task, rounds: 60 });
    const before = log.prompts.at(-1)!.tokens;
    const title = { model: 'm', messages: [{ role: 'user' as const, content: `A title for: ${task}` }] };
    await running.openai.chat.completions.create(title);
    expect(server.received.at(-1)!.body).toEqual(title);
    await chatLoop({ ...running, history: [], task: 'Look at one file.', rounds: 3 });
    // The main conversation continues as if nothing had happened: what was sent before is sent again.
    const at = server.received.length;
    await chatLoop({ ...running, history, task, rounds: 2 });
    const [main, subAgent, ...others] = running.proxy.conversations;
    await running.proxy.close();
    expect(log.refused).toEqual([]);
    expect(others).toEqual([]);
    expect(subAgent).toMatchObject({ requests: 3, compactions: [] });
    // Only the declarations of recall and expand were sent on top.
    expect(subAgent!.savedTokens / 3).toBeLessThan(-200);
    expect(subAgent!.savedTokens / 3).toBeGreaterThan(-400);
    expect(main!.requests).toBe(62);
    const previous = server.received[59]!.body.messages as unknown[];
    const next = server.received[at]!.body.messages as unknown[];
    expect(next.slice(0, previous.length)).toEqual(previous);
    expect(before).toBeLessThan(32_000);
  });

  it('two agents with the same task at once do not disturb each other', async () => {
    const { log, script } = scriptedProvider(32_000, 160);
    server.play(script);
    const running = await runningProxy(server);
    const histories: object[][] = [[], []];
    await Promise.all(histories.map((history) => chatLoop({ ...running, history, task })));
    await running.proxy.close();
    expect(server.received.flatMap(({ problems }) => problems)).toEqual([]);
    expect(log.refused).toEqual([]);
    expect(running.proxy.conversations).toHaveLength(2);
    for (const history of histories) expect(JSON.stringify(history.at(-1))).toContain('All done.');
  });

  it('a history that was rewound keeps the compactions that still apply', async () => {
    const { log, script } = scriptedProvider(32_000, 80);
    server.play(script);
    const running = await runningProxy(server);
    const history: object[] = [];
    await chatLoop({ ...running, history, task, rounds: 70 });
    const [main] = running.proxy.conversations;
    const covered = main!.compactions.length;
    expect(covered).toBeGreaterThan(0);
    // Six rounds are taken back, and the user asks for something else.
    const rewound = [...history.slice(0, -12), { role: 'user', content: 'Stop. Read the other files.' }];
    await chatLoop({ ...running, history: rewound, task, rounds: 2 });
    const saved = running.proxy.conversations[0]!;
    expect(saved).toMatchObject({ id: main!.id, compactions: main!.compactions });
    expect(saved.savedTokens).toBeGreaterThan(main!.savedTokens);
    expect(running.proxy.conversations).toHaveLength(1);
    // The first history goes on: now there are two.
    await chatLoop({ ...running, history, task, rounds: 1 });
    await chatLoop({ ...running, history: rewound, task, rounds: 1 });
    const both = running.proxy.conversations;
    await running.proxy.close();
    expect(both).toHaveLength(2);
    expect(both.map(({ id }) => id)).not.toContain(main!.id);
    for (const { savedTokens } of both) expect(savedTokens).toBeGreaterThan(0);
    expect(both.map(({ compactions }) => compactions.length).sort()).toEqual([0, covered]);
    expect(log.refused).toEqual([]);
  });

  it.each([
    ['chat completions', chatLoop],
    ['Anthropic messages', messagesLoop],
  ])('go on with the same bytes after a restart with a store, on %s', async (name, loop) => {
    const state = join(folder, name);
    const { log, script } = scriptedProvider(32_000, 70);
    server.play(script);
    const history: object[] = [];
    const first = await runningProxy(server, { store: folderStore(state) });
    await loop({ ...first, history, task, rounds: 60 });
    const compactions = first.proxy.conversations[0]!.compactions.length;
    await first.proxy.close();
    const second = await runningProxy(server, { store: folderStore(state) });
    await loop({ ...second, history, task });
    const [conversation, ...others] = second.proxy.conversations;
    await second.proxy.close();
    expect(others).toEqual([]);
    expect(compactions).toBeGreaterThan(0);
    expect(conversation!.id).toBe(first.proxy.conversations[0]!.id);
    const { cachedTokens } = log.prompts[60]!;
    expect(cachedTokens).toBeGreaterThan(log.prompts[59]!.tokens * 0.95);
    expect(log.refused).toEqual([]);
    // The agent's key is in no file.
    for (const file of readdirSync(state))
      expect(readableState(readFileSync(join(state, file), 'utf8'))).not.toContain('test-key');
  });

  it('that are idle or too many are dropped', async () => {
    server.play(() => ({ kind: 'answer', text: 'Hello.' }));
    let now = 1_000;
    const running = await runningProxy(server, { now: () => now, limits: { maxConversations: 2, idleMs: 60_000 } });
    for (const other of ['One.', 'Two.', 'Three.']) await chatLoop({ ...running, history: [], task: other });
    expect(running.proxy.conversations).toHaveLength(2);
    now += 60_001;
    await chatLoop({ ...running, history: [], task: 'Four.' });
    expect(running.proxy.conversations).toHaveLength(1);
    await running.proxy.close();
  });
});
