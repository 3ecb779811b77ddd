import type Anthropic from '@anthropic-ai/sdk';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type LoopbackServer, startLoopbackServer } from '../../../../../test/loopback-server/index.ts';
import {
  ask,
  type BetaParam,
  compact,
  type Management,
  refusing,
  talkative,
  task,
  tools,
  withProxy,
  work,
} from './beta-client.ts';

let server: LoopbackServer;
beforeAll(async () => {
  server = await startLoopbackServer();
});
afterAll(() => server.close());

describe('an answer that is the compaction alone', () => {
  it.each([true, false])('comes with pause_after_compaction (streamed: %s)', async (isStreamed) => {
    const { script } = talkative('');
    server.play(refusing(script));
    const messages: BetaParam[] = [{ role: 'user', content: task }];
    await withProxy(server, { compaction: 'serve' }, async ({ anthropic }) => {
      await work({ anthropic, messages }, 20);
      const edits = [{ ...compact.edits![0]!, pause_after_compaction: true }] as NonNullable<Management['edits']>;
      const before = server.received.length;
      const paused = await ask({ anthropic, messages, management: { edits }, isStreamed });
      expect(server.received).toHaveLength(before);
      expect(paused.stop_reason).toBe('compaction');
      expect(paused.content).toMatchObject([{ type: 'compaction', content: expect.stringContaining(task) }]);
      expect(paused.usage).toMatchObject({ input_tokens: 0, output_tokens: 0, iterations: [{ type: 'compaction' }] });
      // As documented, with the newest messages kept behind the block.
      const kept = [messages.at(-1)!, ...messages.slice(-5, -1)];
      await work({ anthropic, messages: kept, isStreamed }, 1);
      await work({ anthropic, messages, isStreamed }, 1);
    });
    expect(server.received.flatMap(({ problems }) => problems)).toEqual([]);
    for (const { text } of server.received.slice(-2)) expect(text.split('[CONTEXT HANDOFF')).toHaveLength(2);
  });

  it('comes with compaction: summarize, written by the model, and states what that took', async () => {
    const { script } = talkative('## Goal\nThe page of the model.');
    server.play(refusing(script));
    const messages: BetaParam[] = [{ role: 'user', content: task }];
    await withProxy(server, { summaries: 'model' }, async ({ anthropic }) => {
      await work({ anthropic, messages }, 20);
      const asked = { model: 'm', max_tokens: 1_000, tools, messages, betas: ['compact-2026-09-04'] };
      const { content, usage } = await anthropic.beta.messages.create({ ...asked, compaction: { type: 'summarize' } });
      expect(content).toMatchObject([
        { type: 'compaction', content: expect.stringContaining('The page of the model.') },
      ]);
      expect(usage.iterations).toMatchObject([{ type: 'compaction', input_tokens: 9_000, output_tokens: 70 }]);
      const next: BetaParam[] = [
        { role: 'assistant', content: content as Anthropic.Beta.BetaContentBlockParam[] },
        { role: 'user', content: 'Go on.' },
      ];
      await ask({ anthropic, messages: next });
      await expect(
        anthropic.beta.messages.create({
          ...asked,
          messages: [{ role: 'user', content: 'Hi' }],
          compaction: { type: 'summarize' },
        }),
      ).rejects.toThrow(/nothing to summarize/);
    });
    expect(server.received.flatMap(({ problems }) => problems)).toEqual([]);
    expect(server.received.at(-1)!.text).toContain('The page of the model.');
    expect(server.received.at(-1)!.text).toContain('Go on.');
  });
});
