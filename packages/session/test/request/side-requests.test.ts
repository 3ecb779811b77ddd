import type { Message } from '@palimpsest/core';
import { assistant, user } from '@palimpsest/testkit';
import { expect, it } from 'vitest';
import { RecentRequests } from '../../src/conversation/recent-requests.ts';
import { requestInput } from '../../src/conversation/request-input.ts';
import { classifyFailure } from '../../src/failure/classify-failure.ts';
import { createIntake } from '../../src/intake/intake.ts';
import { makeSession, turn } from '../make-session.ts';

const intake = createIntake('openai');
const input = (topic: string, messages: number) =>
  requestInput(
    intake,
    Array.from({ length: messages }, (_, at): Message => (at === 0 ? user(topic) : user(`Message ${at}.`))),
    {},
  );

it('a shorter conversation continues while the one before it is still planned', async () => {
  const requests = new RecentRequests();
  let end = (): void => undefined;
  const planning = requests.duringPlanning(input('First.', 30), () => new Promise<void>((resolve) => (end = resolve)));
  requests.noteLast(input('Second.', 10));
  expect(requests.isSideRequest(input('Second.', 12).intake)).toBe(false);
  expect(requests.isSideRequest(input('First.', 20).intake)).toBe(false);
  expect(requests.isSideRequest(input('A title?', 1).intake)).toBe(true);
  end();
  await planning;
});

it('a request shorter than the conversation is not part of it, also while a plan about a shorter one is made', async () => {
  const requests = new RecentRequests();
  let end = (): void => undefined;
  const planning = requests.duringPlanning(input('First.', 10), () => new Promise<void>((resolve) => (end = resolve)));
  requests.noteLast(input('Second.', 40));
  expect(requests.isSideRequest(input('A summary?', 12).intake)).toBe(true);
  end();
  await planning;
});

it('that is refused in its stream says nothing about the conversation', async () => {
  const { session } = makeSession();
  const history = Array.from({ length: 6 }, (_, at) => turn(at)).flat();
  const main = await session.beforeRequest([...history, user('Go on.')]);
  session.afterResponse({ prompt_tokens: main.info.tokens, completion_tokens: 10 }, main);
  const side = await session.beforeRequest([user('A title for this conversation?')]);
  session.noteRefusal(
    classifyFailure({ status: 400, message: 'prompt is too long: 9000 tokens > 8000 maximum' }),
    side,
  );
  const next = await session.beforeRequest([...history, user('Go on.'), assistant('Yes.'), user('And then?')]);
  expect(next.info.compactions.map(({ trigger }) => trigger)).toEqual([]);
  session.noteRefusal(
    classifyFailure({ status: 400, message: 'prompt is too long: 9000 tokens > 8000 maximum' }),
    next,
  );
  const smaller = await session.beforeRequest([...history, user('Go on.'), assistant('Yes.'), user('And then?')]);
  expect(smaller.info.compactions.length).toBeGreaterThan(0);
});
