import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type LoopbackServer, type Received, startLoopbackServer } from '../../../../../test/loopback-server/index.ts';
import { runningProxy } from '../running-proxy.ts';
import { scriptedProvider } from '../scripted-provider.ts';
import { ask, type BetaParam, type Management, refusing, task, withProxy, work } from './beta-client.ts';

let server: LoopbackServer;
beforeAll(async () => {
  server = await startLoopbackServer();
});
afterAll(() => server.close());

describe('clear_tool_uses_20250919', () => {
  const clear = (fields: object): Management => ({
    edits: [{ type: 'clear_tool_uses_20250919', ...fields }],
  });
  const cleared = (request: Received): number => request.raw.split('[Old tool result content cleared]').length - 1;

  it.each([true, false])('clears the oldest results, and says so (streamed: %s)', async (isStreamed) => {
    const { script } = scriptedProvider(200_000, 12);
    server.play(refusing(script));
    const messages: BetaParam[] = [{ role: 'user', content: task }];
    const management = clear({
      trigger: { type: 'tool_uses', value: 5 },
      keep: { type: 'tool_uses', value: 2 },
    });
    const running = await runningProxy(server, { window: 200_000 });
    const answers = await work({ anthropic: running.anthropic, messages, management, isStreamed }, 20);
    const { conversations } = running.proxy;
    await running.proxy.close();
    expect(server.received.flatMap(({ problems }) => problems)).toEqual([]);
    expect(conversations).toHaveLength(1);
    expect(JSON.stringify(messages)).not.toContain('content cleared');
    // The first request was refused and sent again.
    expect(server.received.slice(1).map(cleared)).toEqual([0, 0, 0, 0, 0, 0, 4, 5, 6, 7, 8, 9, 10]);
    const edits = answers.map(({ context_management: report }) => report?.applied_edits ?? null);
    expect(edits.slice(0, 6)).toEqual(Array.from({ length: 6 }, () => []));
    expect(edits[6]).toEqual([
      { type: 'clear_tool_uses_20250919', cleared_tool_uses: 4, cleared_input_tokens: expect.any(Number) },
    ]);
    expect((edits[6]![0] as { cleared_input_tokens: number }).cleared_input_tokens).toBeGreaterThan(1_000);
  });

  it('keeps the tools that the client excludes, clears inputs, and clears nothing when it would be too little', async () => {
    const { script } = scriptedProvider(200_000, 12);
    server.play(refusing(script));
    const trigger = { type: 'tool_uses', value: 2 };
    await withProxy(server, { compaction: 'serve' }, async ({ anthropic }) => {
      const messages: BetaParam[] = [{ role: 'user', content: task }];
      await work({ anthropic, messages }, 8);
      for (const [fields, count] of [
        [{ trigger, exclude_tools: ['read_file'] }, 0],
        [{ trigger, clear_at_least: { type: 'input_tokens', value: 50_000 } }, 0],
        [{ trigger, clear_at_least: { type: 'input_tokens', value: 500 } }, 5],
        [{ trigger, keep: { type: 'tool_uses', value: 0 } }, 7],
        [{}, 0],
      ] as const) {
        await ask({ anthropic, messages: [...messages], management: clear(fields) });
        expect(cleared(server.received.at(-1)!)).toBe(count);
      }
      await ask({ anthropic, messages: [...messages], management: clear({ trigger, clear_tool_inputs: true }) });
      expect(server.received.at(-1)!.raw.split('"input":{}').length - 1).toBe(5);
    });
    expect(server.received.flatMap(({ problems }) => problems)).toEqual([]);
  });

  it('clears old thoughts with clear_thinking_20251015', async () => {
    server.play(refusing(() => ({ kind: 'answer', text: 'Well.', reasoning: 'I think.' })));
    const thinking: Management = {
      edits: [{ type: 'clear_thinking_20251015', keep: { type: 'thinking_turns', value: 1 } }],
    };
    await withProxy(server, {}, async ({ anthropic }) => {
      const messages: BetaParam[] = [];
      const counts: number[] = [];
      for (const words of ['One', 'Two', 'Three']) {
        messages.push({ role: 'user', content: words });
        const { context_management: report } = await ask({ anthropic, messages, management: thinking });
        counts.push(report!.applied_edits.length);
      }
      expect(counts).toEqual([0, 1, 1]);
      expect(server.received.at(-1)!.raw).not.toContain('I think.');
      const all: Management = { edits: [{ type: 'clear_thinking_20251015', keep: 'all' }] };
      messages.push({ role: 'user', content: 'Four' });
      await ask({ anthropic, messages, management: all });
      expect(server.received.at(-1)!.raw.split('I think.')).toHaveLength(4);
    });
  });
});

describe('a body that asks wrongly', () => {
  it.each([
    [{ edits: [{ type: 'compact_2020' }] }, /edits\.0: Input tag 'compact_2020'/],
    [{ edits: 'all' }, /list of edits/],
    ['all', /list of edits/],
    [{ edits: [null] }, /edits\.0: Input should be an object/],
    [
      { edits: [{ type: 'compact_20260112', trigger: { type: 'input_tokens', value: -1 } }] },
      /edits\.0\.trigger\.value/,
    ],
    [{ edits: [{ type: 'clear_tool_uses_20250919', exclude_tools: 'x' }] }, /edits\.0\.exclude_tools/],
    [{ edits: [{ type: 'compact_20260112' }, { type: 'compact_20260112' }] }, /only once/],
  ])('%j is refused as by Anthropic', async (management, message) => {
    server.play([]);
    await withProxy(server, { compaction: 'serve' }, async ({ anthropic }) => {
      const asked = ask({
        anthropic,
        messages: [{ role: 'user', content: 'Hi' }],
        management: management as Management,
      });
      await expect(asked).rejects.toMatchObject({ status: 400, message: expect.stringMatching(message) });
    });
    expect(server.received).toEqual([]);
  });
});
