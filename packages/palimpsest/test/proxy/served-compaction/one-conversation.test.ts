import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type LoopbackServer, type Received, startLoopbackServer } from '../../../../../test/loopback-server/index.ts';
import { folderStore } from '../../../src/conversations/conversation-store.ts';
import { responsesLoop } from '../agent-loops.ts';
import { scriptedProvider } from '../scripted-provider.ts';
import { ask, type BetaParam, blocksOf, compact, refusing, talkative, task, withProxy, work } from './beta-client.ts';

let server: LoopbackServer;
beforeAll(async () => {
  server = await startLoopbackServer();
});
afterAll(() => server.close());

/** A model that searches once, and then says what it has found. */
function searching(query: string): (request: Received) => ReturnType<ReturnType<typeof scriptedProvider>['script']> {
  return ({ raw }) =>
    raw.includes('search_1')
      ? { kind: 'answer', text: raw.includes(query) ? 'Found.' : 'Nothing.' }
      : {
          kind: 'answer',
          text: '',
          calls: [{ id: 'search_1', name: 'recall', arguments: '{"query":"file-1.ts value20"}' }],
        };
}

const removed = 'src/file-1.ts:20: const value20';

describe('a conversation that was compacted for its client', () => {
  it.each([true, false])('finds what is no longer in it; the client keeps old messages: %s', async (isKept) => {
    server.play(refusing(talkative('').script));
    let messages: BetaParam[] = [{ role: 'user', content: task }];
    await withProxy(server, {}, async ({ anthropic, proxy }) => {
      for (let rounds = 0; rounds < 40; rounds++) {
        const [answer] = await work({ anthropic, messages, management: compact }, 1);
        if (blocksOf([answer!]).length > 0) break;
      }
      const at = messages.findIndex((message) => JSON.stringify(message).includes('"compaction"'));
      if (!isKept) messages = messages.slice(at);
      server.play(refusing(searching(removed)));
      const answer = await ask({ anthropic, messages });
      expect(server.received[0]!.raw).not.toContain(removed);
      expect(answer.content.at(-1)).toMatchObject({ text: 'Found.' });
      expect(proxy.conversations).toHaveLength(1);
    });
  });

  it('finds it after POST /responses/compact, too', async () => {
    server.play(talkative('').script);
    await withProxy(server, {}, async (running) => {
      const history: object[] = [];
      await responsesLoop({ ...running, history, task, rounds: 25 });
      const { output } = await running.openai.responses.compact({ model: 'm', input: history as never });
      server.play(searching('file-1.ts:20'));
      await responsesLoop({ ...running, history: [...output], task, rounds: 1 });
      const { text } = server.received.at(-1)!;
      expect(text).toContain('file-1.ts:20');
      expect(server.received[0]!.text).not.toContain('file-1.ts:20');
      expect(running.proxy.conversations).toHaveLength(1);
    });
  });

  it('counts the compactions, and what their summaries cost', async () => {
    const paid: number[] = [];
    for (const summaries of ['model', 'rules'] as const) {
      server.play(refusing(talkative('## Goal\nThe page of the model.').script));
      const messages: BetaParam[] = [{ role: 'user', content: task }];
      await withProxy(server, { compaction: 'serve', summaries }, async ({ anthropic, proxy }) => {
        const asked = { anthropic, messages, management: compact, model: 'claude-sonnet-4-5' };
        const answers = await work(asked, 14);
        const [conversation, ...others] = proxy.conversations;
        expect(others).toEqual([]);
        expect(conversation!.compactions).toHaveLength(blocksOf(answers).length);
        const modelCalls = summaries === 'model' ? 1 : 0;
        expect(conversation!.compactions[0]).toMatchObject({ trigger: 'agent', modelCalls });
        paid.push(conversation!.cost!.paid);
      });
    }
    // Each page has 9,000 tokens of prompt and 70 of answer.
    expect(paid[0]! - paid[1]!).toBeGreaterThan(0.02);
  });

  it('is trusted after a restart with a store', async () => {
    const state = mkdtempSync(join(tmpdir(), 'palimpsest-served-'));
    const rule = 'Never touch the file secrets.env.';
    const messages: BetaParam[] = [];
    server.play(refusing(scriptedProvider(32_000, 500, 10).script));
    await withProxy(server, { window: 32_000, store: folderStore(state) }, async ({ anthropic }) => {
      for (const words of ['Read the files.', rule, 'Read on.', 'Read the next ones.']) {
        messages.push({ role: 'user', content: words });
        await work({ anthropic, messages, management: compact }, 20);
      }
    });
    expect(JSON.stringify(messages)).toContain('"compaction"');
    await withProxy(
      server,
      { window: 32_000, store: folderStore(state), compaction: 'serve' },
      async ({ anthropic, proxy }) => {
        for (let round = 0; round < 8; round++) {
          messages.push({ role: 'user', content: `Read part ${round}.` });
          await work({ anthropic, messages }, 20);
        }
        expect(proxy.conversations[0]!.compactions.length).toBeGreaterThan(0);
      },
    );
    rmSync(state, { recursive: true, force: true });
    const { text } = server.received.at(-1)!;
    const [record] = text.split('[CONTEXT HANDOFF').at(-1)!.split('## Critical Context');
    expect(record).toContain(`## Constraints & Preferences\n- ${rule}`);
  });
});
