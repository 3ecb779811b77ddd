import type { Usage } from '@palimpsest/core';
import { type Fields, recordsIn } from '../record.ts';
import type { IsOwn, RawAnswer } from '../wire/answers.ts';
import { tokensOf, usageOf } from '../wire/usage.ts';

/** Reads an answer of Anthropic Messages. */
export function readAnthropic({ content, stop_reason: reason, usage }: Fields, isOwn: IsOwn): RawAnswer {
  const said = recordsIn(content).filter(({ type, text }) => type !== 'text' || text !== '');
  const isOwnCall = ({ type, name }: Fields): boolean => type === 'tool_use' && isOwn(name);
  const rest = said.filter((block) => !isOwnCall(block));
  return {
    items: [{ role: 'assistant', content: said }],
    visible: rest.length === 0 ? [] : [{ role: 'assistant', content: rest }],
    text: said.map(({ type, text }) => (type === 'text' ? String(text) : '')).join(''),
    calls: said.filter(isOwnCall).map(({ id, name, input }) => ({ id: String(id), name: String(name), input })),
    hasHostCalls: rest.some(({ type }) => type === 'tool_use'),
    isComplete: reason === 'tool_use' || reason === 'end_turn',
    usage,
  };
}

/** Reads a usage report. It has cached tokens in addition to `input_tokens`, not in them. */
export function anthropicUsage(usage: Fields): Usage | null {
  const { input_tokens: input, cache_read_input_tokens: cached, cache_creation_input_tokens: cacheWrite } = usage;
  const prompt = tokensOf(input) === undefined ? undefined : [input, cached, cacheWrite].reduce(sum, 0);
  return usageOf({ prompt, completion: usage.output_tokens, cached, cacheWrite });
}

function sum(one: number, other: unknown): number {
  return one + (tokensOf(other) ?? 0);
}
