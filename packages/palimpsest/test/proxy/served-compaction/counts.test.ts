import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type LoopbackServer, startLoopbackServer } from '../../../../../test/loopback-server/index.ts';
import { upstreamsOf } from '../running-proxy.ts';
import { type BetaParam, betas, type Management, tools, withProxy } from './beta-client.ts';

let unused: LoopbackServer;
let counting: Server;
let bodies: string[];
beforeAll(async () => {
  unused = await startLoopbackServer();
  // A gateway that counts, and does not know context management.
  counting = createServer(async (request, response) => {
    const body = await text(request);
    bodies.push(body);
    const isRefused = /"context_management"|"compaction"|context-management-20/.test(
      `${body} ${String(request.headers['anthropic-beta'])}`,
    );
    const error = { type: 'invalid_request_error', message: 'context_management: Extra inputs are not permitted' };
    response.writeHead(isRefused ? 400 : 200, { 'content-type': 'application/json' });
    response.end(JSON.stringify(isRefused ? { type: 'error', error } : { input_tokens: body.length }));
  });
  await new Promise<void>((resolve) => counting.listen(0, '127.0.0.1', resolve));
});
afterAll(async () => {
  counting.close();
  await unused.close();
});

const management: Management = {
  edits: [
    {
      type: 'clear_tool_uses_20250919',
      trigger: { type: 'tool_uses', value: 2 },
      keep: { type: 'tool_uses', value: 1 },
    },
    { type: 'compact_20260112', trigger: { type: 'input_tokens', value: 50_000 } },
  ],
};
const exchange = (id: string): BetaParam[] => [
  { role: 'assistant', content: [{ type: 'tool_use', id, name: 'read_file', input: { path: id } }] },
  { role: 'user', content: [{ type: 'tool_result', tool_use_id: id, content: `text of ${id} `.repeat(200) }] },
];

describe('a count of tokens', () => {
  const upstreams = () => {
    const url = new URL(`http://127.0.0.1:${(counting.address() as AddressInfo).port}`);
    return { ...upstreamsOf(unused), anthropic: url, openai: new URL('/v1', url) };
  };

  it('has the edits of its request where the upstream refuses the field, and compacts nothing', async () => {
    bodies = [];
    const messages: BetaParam[] = [{ role: 'user', content: 'Read.' }, ...['a', 'b', 'c'].flatMap(exchange)];
    await withProxy(unused, { upstreams: upstreams() }, async ({ anthropic, proxy }) => {
      const asked = { model: 'm', tools, betas, context_management: management };
      const { input_tokens: tokens, context_management: report } = await anthropic.beta.messages.countTokens({
        ...asked,
        messages,
      });
      expect(bodies).toHaveLength(2);
      expect(tokens).toBe(bodies[1]!.length);
      expect(report!.original_input_tokens).toBeGreaterThan(tokens + 500);
      expect(bodies[1]!.split('[Old tool result content cleared]')).toHaveLength(3);
      // A block of an earlier compaction counts as what it stands for.
      const block = { type: 'compaction' as const, content: 'The files a and b were read.' };
      await anthropic.beta.messages.countTokens({
        ...asked,
        messages: [...messages, { role: 'assistant', content: [block] }, { role: 'user', content: 'Go on.' }],
      });
      expect(bodies).toHaveLength(3);
      expect(bodies[2]).toContain('The files a and b were read.');
      expect(bodies[2]).not.toContain('text of a');
      expect(proxy.conversations).toEqual([]);
    });
  });

  it('that is refused says nothing about answers', async () => {
    bodies = [];
    const asked = { model: 'm', tools, betas, context_management: management };
    const messages: BetaParam[] = [{ role: 'user', content: 'Read.' }];
    await withProxy(unused, { upstreams: upstreams() }, async ({ anthropic }) => {
      await anthropic.beta.messages.countTokens({ ...asked, messages });
      await anthropic.beta.messages.create({ ...asked, messages, max_tokens: 10 });
    });
    expect(bodies.map((body) => body.includes('"context_management"'))).toEqual([true, false, true, false]);
  });

  it('is passed on where it asks for nothing', async () => {
    bodies = [];
    await withProxy(unused, { upstreams: upstreams(), compaction: 'serve' }, async ({ anthropic }) => {
      const messages: BetaParam[] = [{ role: 'user', content: 'Hi' }];
      expect((await anthropic.beta.messages.countTokens({ model: 'm', messages })).context_management).toBeUndefined();
    });
    expect(bodies).toHaveLength(1);
  });
});
