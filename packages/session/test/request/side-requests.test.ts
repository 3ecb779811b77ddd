import type { Message } from '@palimpsest/core';
import { assistant, user } from '@palimpsest/testkit';
import { expect, it } from 'vitest';
import { RecentRequests } from '../../src/conversation/recent-requests.ts';
import { requestInput } from '../../src/conversation/request-input.ts';
import { classifyFailure } from '../../src/failure/classify-failure.ts';
import { createIntake } from '../../src/intake/intake.ts';
import type { Recovery } from '../../src/recovery/recovery.ts';
import { makeSession, turns } from '../make-session.ts';

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
  const history = turns(6);
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

it('that is refused says nothing about the model of the conversation', async () => {
  const { session, events } = makeSession();
  const history = turns(6);
  const options = { maxTokens: 2_000 };
  const main = await session.beforeRequest([...history, user('Go on.')], options);
  session.afterResponse({ prompt_tokens: main.info.tokens, completion_tokens: 10 }, main);
  const known = async () => {
    const { limits, outputCaps, refused } = await session.snapshot();
    return { limits, outputCaps, refused };
  };
  const before = await known();
  const refuse = async (message: string): Promise<Recovery> => {
    const side = await session.beforeRequest([user('A title for this conversation?')], options);
    return session.recover(session.adapter.failureOf({ status: 400, message }, side), side, 2_000);
  };
  expect(await refuse('max_tokens: 2000 > 1000, which is the maximum allowed number of output tokens')).toEqual({
    retry: true,
    maxTokens: 1_000,
  });
  expect(await refuse('prompt is too long: 5000 tokens > 3000 maximum')).toMatchObject({ retry: false });
  expect(events.filter(({ type }) => type === 'request-refused')).toHaveLength(2);
  expect(await known()).toEqual(before);
  const next = await session.beforeRequest([...history, user('Go on.'), assistant('Yes.'), user('And then?')], options);
  expect(next.info).toMatchObject({ maxTokens: 2_000, compactions: [] });
});
