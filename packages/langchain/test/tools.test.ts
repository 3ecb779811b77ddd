import type { Session } from '@palimpsest/session';
import { expect, it } from 'vitest';
import { agentMiddleware } from '../src/index.ts';

it('passes the signal of a run to a call', async () => {
  const { signal } = new AbortController();
  const given: unknown[] = [];
  const { tools } = await agentMiddleware({
    adapter: { attachPages: () => undefined },
    tools: async () => [{ type: 'function', function: { name: 'recall' } }],
    async callTool(...call: unknown[]) {
      given.push(call);
      return 'Found.';
    },
  } as object as Session);
  const [recall] = tools as { invoke(input: object, config: object): Promise<unknown> }[];
  expect(await recall!.invoke({ query: 'port' }, { signal })).toBe('Found.');
  expect(given).toEqual([['recall', { query: 'port' }, { signal: expect.any(AbortSignal) }]]);
});
