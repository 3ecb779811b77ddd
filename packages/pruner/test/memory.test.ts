import type { Message } from '@palimpsest/core';
import { call, exchange, quarterCounter, user } from '@palimpsest/testkit';
import { expect, it } from 'vitest';
import { type PrunePolicy, prune } from '../src/index.ts';
import { lines } from './stub-line.ts';

const policy: PrunePolicy = { protect: { tokens: 0 }, keepTurns: 0, minimum: 0, tokens: quarterCounter };
type Changeable = { -readonly [field in keyof Message]: Message[field] };
const session = (): Changeable[] => [
  user('Go.'),
  ...exchange([call('1', 'Read', { file_path: '/a.ts' }), lines(40)]),
  ...exchange([call('2', 'Read', { file_path: '/b.ts' }), lines(50)]),
  ...exchange([call('3', 'Bash', { command: 'ls' }), 'a.ts']),
];
/** Pruned as if nothing had ever been seen of it. */
const anew = (messages: readonly Message[]): readonly Message[] => prune(structuredClone(messages), policy).messages;

it.each<[string, (messages: Changeable[]) => void]>([
  ['nothing', () => {}],
  ['the content of a result', (messages) => void (messages[2]!.content = `Exit code 1\n${lines(60)}`)],
  [
    'a content that is parts now',
    (messages) => void (messages[2]!.content = [{ type: 'text', text: lines(60) } as never]),
  ],
  ['the calls', (messages) => void (messages[1]!.tool_calls = [call('1', 'Bash', { command: 'cat /a.ts' })])],
  ['the id that is answered', (messages) => void (messages[2]!.tool_call_id = 'other')],
  [
    'both ids',
    (messages) => {
      messages[1]!.tool_calls = [call('9', 'Read', { file_path: '/z.ts' })];
      messages[2]!.tool_call_id = '9';
    },
  ],
])('what is remembered of a message is not used once %s was replaced in place', (_what, change) => {
  const messages = session();
  expect(prune(messages, policy).messages).toEqual(anew(messages));
  change(messages);
  expect(prune(messages, policy).messages).toEqual(anew(messages));
});

it('a result that answers another call in another transcript is another exchange there', () => {
  const messages = session();
  prune(messages, policy);
  const other = messages.with(1, { role: 'assistant', tool_calls: [call('1', 'Read', { file_path: '/other.ts' })] });
  expect(prune(other, policy).messages).toEqual(anew(other));
});
