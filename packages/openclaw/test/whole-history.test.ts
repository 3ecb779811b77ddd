import type { PiMessage } from '@palimpsest/formats';
import { expect, it } from 'vitest';
import { WholeHistory } from '../src/whole-history.ts';

const user = (content: string, timestamp?: number): PiMessage =>
  ({ role: 'user', content, ...(timestamp && { timestamp }) }) as PiMessage;

it('tells messages without a time apart by their content', () => {
  const messages = ['One.', 'Two.', 'Three.'].map((text) => user(text));
  const history = new WholeHistory();
  const events = messages.map((message, at) => ({ type: 'message', id: `${at}`, parentId: `${at - 1}`, message }));
  expect(history.endingWith(messages.slice(1), events)).toEqual(messages);
  expect(history.endingWith([{ ...messages[2]! }, user('Four.')], events)).toEqual([...messages, user('Four.')]);
});

it('keeps everything between two messages with the same content', () => {
  const messages = ['Continue.', 'One.', 'Continue.', 'Two.'].map((text) => user(text));
  const events = messages.map((message, at) => ({ type: 'message', id: `${at}`, parentId: `${at - 1}`, message }));
  expect(new WholeHistory().endingWith(messages.slice(2), events)).toEqual(messages);
  const history = new WholeHistory();
  history.endingWith(messages, events);
  const newest = [...messages.slice(2), user('Three.')];
  expect(history.endingWith(newest, events)).toEqual([...messages, user('Three.')]);
});

it('recognizes a message by its time, although its content was changed', () => {
  const history = new WholeHistory();
  history.endingWith([user('One.', 1), user('Two.', 2)], []);
  const stored = [{ type: 'message', id: '2', parentId: '1', message: user('Two.', 2) }];
  expect(history.endingWith([user('Two, shortened.', 2)], stored)).toEqual([
    user('One.', 1),
    user('Two, shortened.', 2),
  ]);
});
