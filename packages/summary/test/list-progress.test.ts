import type { Message } from '@palimpsest/core';
import { assistant, call, result, user } from '@palimpsest/testkit';
import { describe, expect, it } from 'vitest';
import { bodyOf, write } from './writing.ts';

const progressOf = async (...messages: Message[]): Promise<string> => {
  const body = await bodyOf(write([user('Fix the parser.'), ...messages], { budgetTokens: 1_000 }));
  return body.split('## In Progress\n')[1]!.split('\n\n## ')[0]!;
};

describe('the last words of the agent', () => {
  const words = 'All tests pass.\n\n---\n\n- Now let me commit and push:';
  const one = 'All tests pass. Now let me commit and push:';
  const done = [result('a', 'done'), assistant(null, call('b', 'bash', { command: 'git push' })), result('b', 'done')];

  it('are one item, without marks of lists and rules', async () => {
    expect(await progressOf(assistant(words))).toBe(`- ${one}`);
  });
  it('are marked as old if calls have returned since', async () => {
    const commit = assistant(words, call('a', 'bash', { command: 'git commit -m "Fix"' }));
    expect(await progressOf(commit, ...done.slice(0, 1))).toBe(`- Said before the last call: ${one}`);
    expect(await progressOf(commit, ...done)).toBe(`- Said before the last 2 calls: ${one}`);
  });
  it('follow a call without a result', async () => {
    const commit = assistant(words, call('a', 'bash', { command: 'git commit -m "Fix"' }));
    expect(await progressOf(commit)).toBe(`- bash git commit -m "Fix"\n- ${one}`);
  });
});

it('an error that says nothing but that it is one does not block', async () => {
  const run = (output: string): Message[] => [
    user('Run the tests.'),
    assistant(null, call('a', 'bash', { command: './check.sh' })),
    result('a', output),
  ];
  const blockedBy = async (output: string): Promise<string> =>
    (await bodyOf(write(run(output), { budgetTokens: 1_000 }))).split('## Blocked\n')[1]!.split('\n\n## ')[0]!;
  expect(await blockedBy('\u274c Error\nFAIL\nERROR:')).toBe('None.');
  expect(await blockedBy('FAIL\nerror: the port is in use')).toBe('- error: the port is in use');
});

it('a decision that is repeated in other quotation marks is listed once', async () => {
  const messages = [
    user('Find the fund.'),
    assistant('I go with the market "Emerging" instead of all markets.', call('a', 'search', { query: 'fund' })),
    result('a', 'none'),
    assistant("I go with the market 'Emerging' instead of all markets.", call('b', 'search', { query: 'funds' })),
    result('b', 'none'),
  ];
  const body = await bodyOf(write(messages, { budgetTokens: 1_000 }));
  const decisions = body.split('## Key Decisions\n')[1]!.split('\n\n## ')[0]!;
  expect(decisions).toBe("- I go with the market 'Emerging' instead of all markets.");
});
