import { expect, it } from 'vitest';
import { rememberMessages } from '../src/index.ts';

const copy = <Value>(value: Value): Value => structuredClone(value);

it('gives equal messages of a conversation as the same objects again, and new or changed ones as they are', () => {
  const remember = rememberMessages();
  const first = [{ role: 'system' }, { role: 'user', content: ['a'] }, { role: 'assistant', content: 'b' }];
  const second = [...copy(first.slice(0, 2)), { role: 'assistant', content: 'edited' }, { role: 'user', content: 'c' }];
  expect(remember(first).every((message, at) => message === first[at])).toBe(true);
  const recalled = remember(second);
  expect(recalled).toEqual(second);
  expect(recalled.map((message, at) => message === first[at])).toEqual([true, true, false, false]);
  expect(remember(copy(second)).every((message, at) => message === recalled[at])).toBe(true);
});

it('keeps three conversations apart, and drops the one that was used longest ago', () => {
  const remember = rememberMessages();
  const conversations = ['a', 'b', 'c', 'd'].map((content) => [{ role: 'system' }, { role: 'user', content }]);
  for (const conversation of conversations) remember(conversation);
  const isKnown = conversations.map((conversation) => remember(copy(conversation))[1] === conversation[1]);
  // Asked in this order, each unknown one pushes out the next.
  expect(isKnown).toEqual([false, false, false, false]);
  expect(remember(copy(conversations[3]!))[1]).toEqual(conversations[3]![1]);
  const again = conversations.slice(1).map((conversation) => remember(conversation)[1]);
  expect(conversations.slice(1).map((conversation) => remember(copy(conversation))[1])).toEqual(again);
});
