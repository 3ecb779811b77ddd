import type { Message } from '@palimpsest/core';
import { createRegistry } from '@palimpsest/registry';
import { expect, it } from 'vitest';
import { engineCompactor } from '../../src/compactors/engine-compactor.ts';

const counter = {
  countText: (text: string) => text.length / 4,
  countMessage: ({ content, tool_calls }: Message) =>
    (String(content ?? '').length + JSON.stringify(tool_calls ?? []).length) / 4,
};

const round = (at: number, output: string): Message[] => [
  {
    role: 'assistant',
    content: null,
    tool_calls: [{ id: `c${at}`, type: 'function', function: { name: 'read_file', arguments: `{"path":"${at}.ts"}` } }],
  },
  { role: 'tool', tool_call_id: `c${at}`, content: output },
];

it('an engine keeps to the budget with the results that the model has not seen, as every compactor has to', async () => {
  const rounds = Array.from({ length: 30 }, (_, at) => round(at, `export const value_${at} = ${at};\n`.repeat(100)));
  const unread = round(30, 'text of the file '.repeat(1_200));
  const messages: Message[] = [{ role: 'user', content: 'Port every module.' }, ...rounds.flat(), ...unread];
  const registry = createRegistry({ fallback: false });
  const compactor = engineCompactor((host) => registry.create({ engine: 'compressor', fallback: false }, host));
  const compacted = await compactor.compact(messages, 9_000, counter);
  const output = 'messages' in compacted ? compacted.messages : compacted;
  expect(output.at(-1)).toBe(unread.at(-1));
  const tokens = output.reduce((sum, message) => sum + counter.countMessage(message), 0);
  expect(tokens).toBeLessThanOrEqual(9_000 * 1.01);
  expect(tokens).toBeGreaterThan(5_200);
});
