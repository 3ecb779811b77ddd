import type OpenAI from 'openai';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type LoopbackServer, startLoopbackServer } from '../../../../../test/loopback-server/index.ts';
import { startCompactingServer } from '../../../../native/test/compacting-server.ts';
import { responsesLoop } from '../agent-loops.ts';
import { runningProxy } from '../running-proxy.ts';
import { talkative, task, withProxy } from './beta-client.ts';

let server: LoopbackServer;
beforeAll(async () => {
  server = await startLoopbackServer();
});
afterAll(() => server.close());

describe('POST /responses/compact', () => {
  it.each([undefined, 'serve' as const])('is answered where the upstream does not know it (%s)', async (compaction) => {
    const { log, script } = talkative('');
    server.play(script);
    await withProxy(server, { compaction }, async (running) => {
      const history: object[] = [];
      await responsesLoop({ ...running, history, task, rounds: 25 });
      for (let pass = 1; pass <= 2; pass++) {
        const { object, output, usage } = await running.openai.responses.compact({
          model: 'm',
          input: history as never,
        });
        expect(object).toBe('response.compaction');
        expect(output.slice(0, -1)).toEqual([{ type: 'message', role: 'user', content: task }]);
        expect(output.at(-1)).toMatchObject({
          type: 'compaction',
          encrypted_content: expect.stringContaining('HANDOFF'),
        });
        expect(usage).toMatchObject({ input_tokens: 0, output_tokens: 0, total_tokens: 0 });
        history.splice(0, history.length, ...output);
        await responsesLoop({ ...running, history, task, rounds: 10 });
      }
      await responsesLoop({ ...running, history, task });
      expect(JSON.stringify(history.at(-1))).toContain('All done.');
    });
    expect(log.refused).toEqual([]);
    expect(server.received.flatMap(({ problems }) => problems)).toEqual([]);
    const { raw, text } = server.received.at(-1)!;
    expect(raw).not.toContain('"compaction"');
    // In the handoff, and behind it.
    expect(text.split(task)).toHaveLength(3);
    expect(text.split('[CONTEXT HANDOFF')).toHaveLength(2);
  });

  it('is left to an upstream that knows it', async () => {
    const knowing = await startCompactingServer();
    const upstreams = { openai: new URL(knowing.openaiUrl) };
    const running = await runningProxy(server, {
      upstreams: {
        ...upstreams,
        chatgpt: upstreams.openai,
        anthropic: upstreams.openai,
        gemini: upstreams.openai,
        vertex: null,
        bedrock: 'us-east-1',
        ollama: upstreams.openai,
      },
    });
    const input = [{ role: 'user' as const, content: task }];
    const { output } = await running.openai.responses.compact({ model: 'm', input });
    expect(output.at(-1)).toMatchObject({ type: 'compaction', encrypted_content: knowing.made[0]!.token });
    expect(knowing.asked).toEqual([{ model: 'm', input }]);
    await running.proxy.close();
    await knowing.close();
  });

  it('keeps the instructions that a client adds in front of a compaction, and a short conversation as it is', async () => {
    server.play(() => ({ kind: 'answer', text: 'Well.' }));
    await withProxy(server, { compaction: 'serve' }, async ({ openai }) => {
      const input: OpenAI.Responses.ResponseInputItem[] = [
        { role: 'developer', content: 'Old instructions.' },
        { role: 'user', content: 'Hi' },
        { type: 'message', role: 'assistant', content: 'Hello, how can I help?' } as never,
      ];
      const { output } = await openai.responses.compact({ model: 'm', input });
      const next = [
        { role: 'developer', content: 'New instructions.' },
        ...output,
        { role: 'user', content: 'Go on.' },
      ];
      await openai.responses.create({ model: 'm', input: next as never });
      const said = server.received.at(-1)!.body.input as { content: string }[];
      expect(said.map(({ content }) => content)).toEqual([
        'New instructions.',
        'Old instructions.',
        'Hi',
        'Hello, how can I help?',
        'Go on.',
      ]);
    });
  });

  it('leaves context_management out where the upstream refuses it', async () => {
    server.play(({ body }) =>
      body.context_management === undefined
        ? { kind: 'answer', text: 'Well.' }
        : {
            kind: 'status',
            status: 400,
            code: 'unknown_parameter',
            message: "Unknown parameter: 'context_management'.",
          },
    );
    await withProxy(server, {}, async ({ openai }) => {
      const management = [{ type: 'compaction', compact_threshold: 1_000 }];
      for (let time = 0; time < 2; time++) {
        const asked = { model: 'm', input: 'Hi', context_management: management };
        expect((await openai.responses.create(asked)).output_text).toBe('Well.');
      }
    });
    expect(server.received).toHaveLength(3);
  });

  it.each([
    [{ model: 'm' }, 'input'],
    [{ model: 'm', input: 7 }, 'input'],
    [{ input: 'Hi' }, 'model'],
    [{ model: 'm', input: 'Hi', previous_response_id: 'resp_1' }, 'previous_response_id'],
  ])('%j is refused', async (body, param) => {
    await withProxy(server, { compaction: 'serve' }, async ({ openai }) => {
      await expect(openai.responses.compact(body as never)).rejects.toMatchObject({ status: 400, param });
    });
  });
});
