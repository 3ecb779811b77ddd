import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import type { Message } from '@palimpsest/core';
import { call, callsWithResults, quarterCounter, user } from '@palimpsest/testkit';
import { expect, it, vi } from 'vitest';
import { defineTool, type PrunePolicy, prune } from '../src/index.ts';
import { lines } from './stub-line.ts';

const policy: PrunePolicy = { protect: { tokens: 0 }, keepTurns: 0, minimum: 0, tokens: quarterCounter };
type Changeable = { -readonly [field in keyof Message]: Message[field] };
const session = (): Changeable[] => [
  user('Go.'),
  ...callsWithResults([call('1', 'Read', { file_path: '/a.ts' }), lines(40)]),
  ...callsWithResults([call('2', 'Read', { file_path: '/b.ts' }), lines(50)]),
  ...callsWithResults([call('3', 'Bash', { command: 'ls' }), 'a.ts']),
];
/** Prunes a copy, for which nothing is cached. */
const pruneCopy = (messages: readonly Message[], other: PrunePolicy = policy): readonly Message[] =>
  prune(structuredClone(messages), other).messages;

it.each<[string, (messages: Changeable[]) => void]>([
  ['nothing', () => {}],
  ['the content of a result', (messages) => void (messages[2]!.content = `Exit code 1\n${lines(60)}`)],
  ['string content by parts', (messages) => void (messages[2]!.content = [{ type: 'text', text: lines(60) } as never])],
  ['the calls', (messages) => void (messages[1]!.tool_calls = [call('1', 'Bash', { command: 'cat /a.ts' })])],
  ['the call id of a result', (messages) => void (messages[2]!.tool_call_id = 'other')],
  [
    'both ids',
    (messages) => {
      messages[1]!.tool_calls = [call('9', 'Read', { file_path: '/z.ts' })];
      messages[2]!.tool_call_id = '9';
    },
  ],
])('a memo is not used after replacing %s in place', (_what, change) => {
  const messages = session();
  expect(prune(messages, policy).messages).toEqual(pruneCopy(messages));
  change(messages);
  expect(prune(messages, policy).messages).toEqual(pruneCopy(messages));
});

it('a memo is not used when a text part of a result was changed in place', () => {
  const part = { type: 'text', text: lines(60) };
  const messages = session();
  messages[2]!.content = [part as never];
  prune(messages, policy);
  part.text = `Exit code 1\n${lines(70)}`;
  expect(prune(messages, policy).messages).toEqual(pruneCopy(messages));
});

it('a memo is not used for the same result behind another call', () => {
  const messages = session();
  prune(messages, policy);
  const other = messages.with(1, { role: 'assistant', tool_calls: [call('1', 'Read', { file_path: '/other.ts' })] });
  expect(prune(other, policy).messages).toEqual(pruneCopy(other));
});

it('a memo is valid at another index of another transcript', () => {
  const messages = session();
  prune(messages, policy);
  const later = [user('First.'), ...messages];
  expect(prune(later, policy).messages).toEqual(pruneCopy(later));
});

it.each<[string, PrunePolicy]>([
  ['another placeholder', { ...policy, placeholder: 'plain' }],
  ['a redactor', { ...policy, redact: (text) => text.replaceAll('a.ts', '***') }],
  ['a tool descriptor', { ...policy, tools: [defineTool({ match: 'read', class: 'fetch' })] }],
])('a memo is not used for a policy with %s, and is used again without it', (_what, other) => {
  const messages = session();
  const first = prune(messages, policy).messages;
  expect(prune(messages, other).messages).toEqual(pruneCopy(messages, other));
  expect(pruneCopy(messages, other)).not.toEqual(first);
  expect(prune(messages, policy).messages).toEqual(first);
});

it('nothing of a transcript is retained after it was dropped', async () => {
  setFlagsFromString('--expose-gc');
  const collectGarbage = runInNewContext('gc') as () => void;
  const dropped = (() => {
    const messages = session();
    prune(messages, policy);
    prune(messages, { ...policy, placeholder: 'plain' });
    return messages.map((message) => new WeakRef(message));
  })();
  // While V8 optimizes a closure in the background, it keeps what the closure sees. So a collection may come too early.
  await vi.waitFor(
    () => {
      collectGarbage();
      expect(dropped.filter((message) => message.deref() !== undefined)).toEqual([]);
    },
    { timeout: 180_000 },
  );
});
