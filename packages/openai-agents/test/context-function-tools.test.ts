import { RunContext } from '@openai/agents';
import { expect, it } from 'vitest';
import { contextFunctionTools } from '../src/index.ts';

it('passes the signal of a run to a call', async () => {
  const { signal } = new AbortController();
  const given: unknown[] = [];
  const [recall] = await contextFunctionTools({
    tools: (async () => [{ type: 'function', function: { name: 'recall' } }]) as never,
    async callTool(...call) {
      given.push(call);
      return 'Found.';
    },
  });
  expect(await recall!.invoke(new RunContext(), '{"query":"port"}', { signal })).toBe('Found.');
  expect(given).toEqual([['recall', { query: 'port' }, { signal }]]);
});
