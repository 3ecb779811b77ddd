import type { EngineHost, Message, Usage } from '@palimpsest/core';
import { createEngine, type EnginePlanner } from '@palimpsest/core/authoring';
import { assistant, user } from '@palimpsest/testkit';
import { describe, expect, it } from 'vitest';
import { makeSession, turns } from '../make-session.ts';

interface Ingested {
  readonly messages: number;
  readonly usage: Usage | null;
}

/** An engine that reads every turn as it ends. */
function ingesting(onResponse: (ingested: Ingested) => void) {
  return (host: EngineHost) => {
    const planner: EnginePlanner<null> = {
      initial: null,
      budget: ({ contextLength }) => ({
        contextLength,
        usableTokens: contextLength,
        thresholdTokens: contextLength,
        tailTokens: 0,
        summaryTokens: 0,
      }),
      plan: async () => ({ edits: [], state: null }),
      session: { response: async (messages, usage) => onResponse({ messages: messages.length, usage }) },
    };
    return createEngine(planner, host, { name: 'ingesting' });
  };
}

describe('an engine that ingests', () => {
  it('gets every answered request once, also when usage is missing or reported twice', async () => {
    const ingested: Ingested[] = [];
    const { session } = makeSession({ engine: ingesting((one) => ingested.push(one)) });
    const history: Message[] = [];
    for (let index = 0; index < 3; index++) {
      history.push(user(`Question ${index}.`));
      const request = await session.beforeRequest(history);
      const usage = index === 1 ? undefined : { prompt_tokens: 10 + index, completion_tokens: 1 };
      session.afterResponse(usage, request);
      session.afterResponse(usage, request);
      history.push(assistant(`Answer ${index}.`));
    }
    await session.beforeRequest(history);
    expect(ingested).toEqual([
      { messages: 1, usage: expect.objectContaining({ promptTokens: 10 }) },
      { messages: 3, usage: null },
      { messages: 5, usage: expect.objectContaining({ promptTokens: 12 }) },
    ]);
  });

  it('gets the untouched history, not the projection', async () => {
    const ingested: Ingested[] = [];
    const { session } = makeSession({ engine: ingesting((one) => ingested.push(one)) });
    const history = turns(6);
    session.afterResponse(undefined, await session.beforeRequest([...history, user('And now?')]));
    await session.engine();
    expect(ingested.map(({ messages }) => messages)).toEqual([history.length + 1]);
  });

  it('that fails to ingest is reported, and the session continues', async () => {
    const failing = ingesting(() => {
      throw new Error('no memory');
    });
    const { session, events } = makeSession({ engine: failing });
    session.afterResponse(undefined, await session.beforeRequest([user('Hello.')]));
    const next = await session.beforeRequest([user('Hello.'), assistant('Hi.'), user('And?')]);
    expect(next.messages).toHaveLength(3);
    expect(events).toContainEqual(expect.objectContaining({ type: 'hook-failed', hook: 'engine.onResponse' }));
  });
});
