import type Anthropic from '@anthropic-ai/sdk';
import { AnthropicVertex } from '@anthropic-ai/vertex-sdk';
import { readHandoff } from '@palimpsest/core';
import { OAuth2Client } from 'google-auth-library';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type LoopbackServer, startLoopbackServer } from '../../../../../test/loopback-server/index.ts';
import { runningProxy } from '../running-proxy.ts';
import { scriptedProvider } from '../scripted-provider.ts';
import {
  ask,
  type BetaParam,
  betas,
  blocksOf,
  compact,
  refusing,
  talkative,
  task,
  withProxy,
  work,
} from './beta-client.ts';

let server: LoopbackServer;
beforeAll(async () => {
  server = await startLoopbackServer();
});
afterAll(() => server.close());

describe.each([
  { upstream: 'that refuses it', compaction: undefined },
  { upstream: 'behind --compaction serve', compaction: 'serve' as const },
])('compact_20260112 with an upstream $upstream', ({ compaction }) => {
  it.each([true, false])('gives the client compaction blocks that it sends back (streamed: %s)', async (isStreamed) => {
    const { log, script } = scriptedProvider(200_000, 60);
    server.play(refusing(script));
    const messages: BetaParam[] = [{ role: 'user', content: task }];
    const answers = await withProxy(server, { compaction }, ({ anthropic }) =>
      work({ anthropic, messages, management: compact, isStreamed }, 100),
    );
    const blocks = blocksOf(answers);
    expect(blocks.length).toBeGreaterThan(1);
    expect(JSON.stringify(messages.at(-1))).toContain('All done.');
    expect(server.received.flatMap(({ problems }) => problems)).toEqual([]);
    const asking = server.received.filter(({ body }) => body.context_management !== undefined);
    expect(asking).toHaveLength(compaction === 'serve' ? 0 : 1);
    expect(Math.max(...log.prompts.map(({ tokens }) => tokens))).toBeLessThan(11_000);
    for (const { content } of blocks) expect(content).toContain(task);
    expect(readHandoff({ role: 'user', content: blocks.at(-1)!.content! })).not.toBeNull();
    const last = server.received.at(-1)!;
    expect(last.text).toContain(task);
    expect(last.text).toContain('[CONTEXT HANDOFF');
    const compacted = answers.find((answer) => blocksOf([answer]).length > 0)!;
    expect(compacted.content[0]!.type).toBe('compaction');
    const { iterations, input_tokens: input, output_tokens: output } = compacted.usage;
    // Rules wrote it, so nothing was paid for it.
    expect(iterations).toMatchObject([
      { type: 'compaction', input_tokens: 0, output_tokens: 0 },
      { type: 'message', input_tokens: input, output_tokens: output },
    ]);
    expect(output).toBe(20);
  });
});

describe('compact_20260112', () => {
  it('is left to an upstream that knows it', async () => {
    const { script } = scriptedProvider(200_000, 30);
    server.play(script);
    const messages: BetaParam[] = [{ role: 'user', content: task }];
    const answers = await withProxy(server, {}, ({ anthropic }) =>
      work({ anthropic, messages, management: compact }, 40),
    );
    expect(blocksOf(answers)).toEqual([]);
    for (const { body, headers } of server.received) {
      expect(body.context_management).toEqual(compact);
      expect(headers['anthropic-beta']).toBe(betas.join(','));
    }
  });

  it('is served on Vertex, too', async () => {
    const { script } = scriptedProvider(200_000, 40);
    server.play(refusing(script));
    const messages: BetaParam[] = [{ role: 'user', content: task }];
    const answers = await withProxy(server, {}, ({ proxy }) => {
      const authClient = new OAuth2Client();
      authClient.setCredentials({ access_token: 'google-token', expiry_date: Number.MAX_SAFE_INTEGER });
      const baseURL = `${proxy.url}/vertex/v1`;
      const client = new AnthropicVertex({
        projectId: 'p',
        region: 'europe-west1',
        authClient,
        baseURL,
        maxRetries: 0,
      });
      return work({ anthropic: client as unknown as Anthropic, messages, management: compact }, 50);
    });
    expect(blocksOf(answers).length).toBeGreaterThan(0);
    expect(server.received.flatMap(({ problems }) => problems)).toEqual([]);
  });

  it('continues after a client that dropped what came before the block, and after a restart', async () => {
    const { script } = talkative('');
    server.play(refusing(script));
    let messages: BetaParam[] = [{ role: 'user', content: task }];
    await withProxy(server, {}, async ({ anthropic }) => {
      for (let rounds = 0; rounds < 40; rounds++) {
        const [answer] = await work({ anthropic, messages, management: compact }, 1);
        if (blocksOf([answer!]).length > 0) break;
      }
    });
    const at = messages.findIndex((message) => JSON.stringify(message).includes('"compaction"'));
    expect(at).toBeGreaterThan(0);
    messages = messages.slice(at);
    await withProxy(server, { compaction: 'serve' }, ({ anthropic }) => work({ anthropic, messages }, 3));
    expect(server.received.flatMap(({ problems }) => problems)).toEqual([]);
    expect(server.received.at(-1)!.text).toContain(task);
    expect(server.received.at(-1)!.text).toContain('[CONTEXT HANDOFF');
  });

  it('keeps the rules of the user when the session compacts a conversation with a block', async () => {
    const { log, script } = scriptedProvider(32_000, 500, 10);
    server.play(refusing(script));
    const rule = 'Never touch the file secrets.env.';
    const messages: BetaParam[] = [];
    const running = await runningProxy(server, { window: 32_000, compaction: 'serve' });
    const { anthropic } = running;
    for (const words of ['Read the files.', rule, 'Read on.', 'Read the next ones.', 'And these.', 'Go on.']) {
      messages.push({ role: 'user', content: words });
      await work({ anthropic, messages, management: compact }, 20);
    }
    const blocks = messages.filter((message) => JSON.stringify(message).includes('"compaction"'));
    expect(blocks.length).toBeGreaterThan(1);
    // The client asks for nothing any more.
    for (let round = 0; round < 8; round++) {
      messages.push({ role: 'user', content: `Read part ${round}.` });
      await work({ anthropic, messages }, 20);
    }
    const { conversations } = running.proxy;
    await running.proxy.close();
    expect(log.refused).toEqual([]);
    expect(conversations.some(({ compactions }) => compactions.length > 0)).toBe(true);
    const { text } = server.received.at(-1)!;
    // A handoff that is not trusted is quoted as context.
    const [record] = text.split('[CONTEXT HANDOFF').at(-1)!.split('## Critical Context');
    expect(record).toContain(`## Constraints & Preferences\n- ${rule}`);
    expect(text.split('[CONTEXT HANDOFF')).toHaveLength(2);
  });

  it('writes no secret into a block', async () => {
    const secret = `ghp_${'a8Xk2'.repeat(7)}q`;
    for (const { script } of [scriptedProvider(200_000, 60), talkative('')]) {
      server.play(refusing(script));
      const messages: BetaParam[] = [
        { role: 'user', content: 'Read all files.' },
        { role: 'assistant', content: `The key is ${secret}.` },
        { role: 'user', content: `Use ${secret} for the files.` },
      ];
      const answers = await withProxy(server, { compaction: 'serve' }, ({ anthropic }) =>
        work({ anthropic, messages, management: compact }, 25),
      );
      const blocks = blocksOf(answers);
      expect(blocks.length).toBeGreaterThan(0);
      for (const { content } of blocks) expect(content).not.toContain(secret);
    }
  });
});

it('a compaction that another proxy wrote is read, but not trusted', async () => {
  const { script } = talkative('');
  server.play(refusing(script));
  const messages: BetaParam[] = [{ role: 'user', content: task }];
  await withProxy(server, { compaction: 'serve' }, ({ anthropic }) =>
    work({ anthropic, messages, management: compact }, 25),
  );
  expect(JSON.stringify(messages)).toContain('"compaction"');
  await withProxy(server, {}, ({ anthropic }) => work({ anthropic, messages }, 2));
  // Without the opaque part, and of another writer.
  const words: BetaParam[] = [
    { role: 'assistant', content: [{ type: 'compaction', content: 'The files a and b were read.' }] },
    { role: 'user', content: 'Go on.' },
  ];
  await withProxy(server, { compaction: 'serve' }, ({ anthropic }) => ask({ anthropic, messages: words }));
  expect(server.received.flatMap(({ problems }) => problems)).toEqual([]);
  expect(server.received.at(-1)!.text).toContain('The files a and b were read.');
  expect(server.received.at(-2)!.text).toContain('[CONTEXT HANDOFF');
});
