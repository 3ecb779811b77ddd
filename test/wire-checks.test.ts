import type { Message } from '@palimpsest/core';
import { assistant, call, result, user } from '@palimpsest/testkit';
import { expect, it } from 'vitest';
import { newFaults } from './engine-laws/wire-checks.ts';

const input: readonly Message[] = [
  user('Find the fault.'),
  assistant(null, call('a', 'read', {})),
  result('a', 'text'),
  assistant('It is in parse.ts.'),
  user('Mend it, please.'),
  assistant(null, call('b', 'read', {})),
  result('b', 'text'),
];
/** An assistant message that follows another one. */
const withAnd = (messages: readonly Message[], at: number) => [
  ...messages.slice(0, at),
  assistant('And.'),
  ...messages.slice(at),
];
const faults = (output: readonly Message[], from = input, dialect: 'openai' | 'strict' = 'openai') =>
  newFaults(from, output, { sources: new Map(), dialect });

it('no fault is found in an unchanged input, also if it has faults', () => {
  const flawed = [user('First of all:'), ...input];
  for (const messages of [input, flawed, input.slice(2)]) expect(faults(messages, messages)).toEqual([]);
});

it('a result without its call is found by core and independently', () => {
  const found = faults([input[0]!, ...input.slice(2)]);
  expect(found).toContain('OpenAI chat: tool pairs, JSON, empty messages: result-orphan');
  expect(found).toContain('tool pairs, checked independently: answers nothing');
});

it('roles that do not alternate are found, also in an output of a flawed input', () => {
  const names = (found: readonly string[]) => found.map((one) => one.replace(/: [^:]*$/, ''));
  const flawed = [user('First of all:'), ...input];
  expect(names(faults(withAnd(input, 4)))).toEqual([
    'Anthropic: roles alternate',
    'strict chat templates',
    'Mistral-style chat template',
  ]);
  expect(names(faults(withAnd(flawed, 5), flawed))).toEqual(['Anthropic: roles alternate']);
  expect(names(faults(withAnd(flawed, 5), flawed, 'strict'))).toContain('strict chat templates');
});
