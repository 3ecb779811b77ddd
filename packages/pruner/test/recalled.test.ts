import { assistant, call, callsWithResults, quarterCounter, user } from '@palimpsest/testkit';
import { describe, expect, it } from 'vitest';
import { prune } from '../src/index.ts';
import { lines } from './stub-line.ts';

const output = lines(60, (number) => `${number}| export const value${number} = compute(${number});`);

const other = lines(60, (number) => `${number}| export const name${number} = read(${number});`);

describe('results of recall', () => {
  it('are pruned before all other output, also in the protected part, and are not quoted in the stub', () => {
    const messages = [
      user('Go on.'),
      ...callsWithResults([call('1', 'read_file', { path: 'a.ts' }), output]),
      ...callsWithResults([call('2', 'recall', { query: 'value7' }), `Quoted from what is hidden.\n${output}`]),
      ...callsWithResults([call('3', 'mcp__palimpsest__expand', { ref: '3fa9c01b' }), output]),
      ...callsWithResults([call('4', 'read_file', { path: 'b.ts' }), other]),
      assistant('Done.'),
    ];
    // Everything is protected.
    const { messages: pruned } = prune(messages, {
      protect: { tokens: 100_000 },
      keepTurns: 0,
      minimum: 0,
      tokens: quarterCounter,
    });
    const results = pruned.filter(({ role }) => role === 'tool').map(({ content }) => content as string);
    expect(results[0]).toBe(output);
    expect(results[1]).toMatch(/^\[recall\] /);
    expect(results[1]).not.toContain('Quoted');
    expect(results[2]).toMatch(/^\[mcp__palimpsest__expand\] /);
    expect(results[3]).toBe(other);
  });
});
