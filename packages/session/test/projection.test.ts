import { type Message, readHandoff, validateTranscript } from '@palimpsest/core';
import { assistant, system, user } from '@palimpsest/testkit';
import { describe, expect, it } from 'vitest';
import { makeSession, turn } from './make-session.ts';

const prompt = system('You are a coding agent.');
/** No output is pruned, so each compaction summarizes. */
const onlySummarizes = { engineOptions: { pruner: { protectTools: ['*'] } } };

/** Length of the common prefix of two requests, in characters. */
function commonPrefix(before: string, after: string): number {
  let at = 0;
  while (at < before.length && before[at] === after[at]) at++;
  return at;
}

describe('a session of 200 turns', () => {
  it('sends the same bytes before a checkpoint from turn to turn, and summarizes no range twice', async () => {
    const { session, summarizer, events } = makeSession({ window: 16_000 });
    const history: Message[] = [prompt];
    let before = '';
    let cached = 0;
    let sent = 0;
    let compactions = 0;
    for (let index = 0; index < 200; index++) {
      const [request, ...rest] = turn(index);
      history.push(request!);
      const made = await session.beforeRequest(history);
      const body = JSON.stringify(made.messages).slice(0, -1);
      expect(validateTranscript(made.messages as Message[])).toEqual([]);
      // The latest threshold: 85 % of the window.
      expect(made.info.tokens).toBeLessThan(13_600);
      if (made.info.compactions.length > 0) compactions += made.info.compactions.length;
      else if (before !== '') {
        const same = commonPrefix(before, body);
        expect(same).toBe(before.length);
        cached += same;
        sent += body.length;
      }
      session.afterResponse({ prompt_tokens: made.info.tokens, completion_tokens: 20 }, made);
      before = body;
      history.push(...rest);
    }
    expect(compactions).toBeGreaterThan(5);
    expect(cached / sent).toBeGreaterThan(0.9);
    const commits = events.filter(({ type }) => type === 'checkpoint-commit');
    expect(commits.length).toBe(compactions);
    expect(summarizer.calls.length).toBe(session.records().reduce((sum, { modelCalls }) => sum + modelCalls, 0));
    // Summarized messages reach a later summary only through the earlier summary.
    const seen = new Set<string>();
    for (const { material } of summarizer.calls)
      for (const message of material.messages) {
        if (message.role !== 'tool') continue;
        expect(seen.has(message.tool_call_id!)).toBe(false);
        seen.add(message.tool_call_id!);
      }
    expect(seen.size).toBeGreaterThan(100);
  });

  it('compacts as often whether the caller keeps the history or stores the output', async () => {
    // Handoffs are signed: with their own keys, the sessions would write different ones.
    const keeps = makeSession({ ...onlySummarizes, key: 'one key for both of them' });
    const stores = makeSession({ ...onlySummarizes, key: 'one key for both of them' });
    const handoffs = (messages: readonly object[]): number =>
      messages.filter((message) => readHandoff(message as Message) !== null).length;
    const history: Message[] = [prompt];
    let stored: Message[] = [prompt];
    for (let index = 0; index < 60; index++) {
      const [request, ...rest] = turn(index);
      history.push(request!);
      stored.push(request!);
      const first = await keeps.session.beforeRequest(history);
      const second = await stores.session.beforeRequest(stored);
      // Until the second compaction, which is planned from the history if the session has it.
      if (keeps.session.records().length < 2) expect(second.messages).toEqual(first.messages);
      for (const { messages, info } of [first, second]) {
        expect(handoffs(messages)).toBe(Math.min(1, keeps.session.records().length));
        expect(info.tokens).toBeLessThan(8_000);
      }
      history.push(...rest);
      stored = [...(second.messages as Message[]), ...rest];
    }
    expect(keeps.session.records().length).toBeGreaterThan(3);
    const [most, least] = [keeps, stores].map(({ summarizer }) => summarizer.calls.length).sort((a, b) => b - a);
    expect(most! - least!).toBeLessThanOrEqual(1);
    expect(stored.length).toBeLessThan(history.length / 2);
  });
});

describe('undo', () => {
  it('restores the previous messages, and pauses until the prompt is near the window', async () => {
    const { session, summarizer } = makeSession(onlySummarizes);
    const history: Message[] = [prompt];
    for (let index = 0; session.records().length === 0; index++) {
      history.push(...turn(index).slice(0, 3));
      await session.beforeRequest(history);
      history.push(assistant('Done.'));
    }
    const compacted = await session.beforeRequest(history);
    expect(compacted.messages.length).toBeLessThan(history.length);
    expect(await session.undo()).toBe(1);
    const whole = await session.beforeRequest(history);
    expect(whole.messages).toEqual(history);
    expect(whole.messages.every((message, at) => message === history[at])).toBe(true);
    expect(summarizer.calls.length).toBe(1);
    expect(session.records()[0]).toMatchObject({ number: 1, undone: true });
    // It compacts again near the window.
    for (let index = 100; session.records().length === 1; index++) {
      history.push(...turn(index).slice(0, 3));
      const made = await session.beforeRequest(history);
      expect(made.info.tokens).toBeLessThan(8_000);
      history.push(assistant('Done.'));
    }
    expect(session.records()[1]).toMatchObject({ number: 2, undone: false });
  });

  it('goes back checkpoint by checkpoint', async () => {
    const { session } = makeSession();
    const history: Message[] = [prompt];
    for (let index = 0; session.records().length < 3; index++) {
      history.push(...turn(index).slice(0, 3));
      await session.beforeRequest(history);
      history.push(assistant('Done.'));
    }
    expect(await session.undo()).toBe(3);
    expect(await session.undo()).toBe(2);
    expect(await session.undo()).toBe(1);
    expect(await session.undo()).toBe(null);
  });
});

describe('a conversation that is changed', () => {
  it('in the kept tail keeps its checkpoint', async () => {
    const { session, summarizer } = makeSession(onlySummarizes);
    const history: Message[] = [prompt];
    for (let index = 0; session.records().length === 0; index++) {
      history.push(...turn(index).slice(0, 3));
      await session.beforeRequest(history);
      history.push(assistant('Done.'));
    }
    history.push(user('And now the tests.'));
    const edited = [...history.slice(0, -1), user('No, rather the documentation.')];
    const made = await session.beforeRequest(edited);
    expect(made.info.checkpoint).toBe(1);
    expect(made.messages.some((message) => readHandoff(message as Message))).toBe(true);
    expect(summarizer.calls.length).toBe(1);
  });

  it('in the summarized part falls back to the previous checkpoint, or to the whole conversation', async () => {
    const { session } = makeSession();
    const history: Message[] = [prompt];
    for (let index = 0; session.records().length === 0; index++) {
      history.push(...turn(index).slice(0, 3));
      await session.beforeRequest(history);
      history.push(assistant('Done.'));
    }
    const rewound = history.slice(0, 6);
    expect((await session.beforeRequest(rewound)).messages).toEqual(rewound);
    const other = [prompt, user('Something else entirely.')];
    expect((await session.beforeRequest(other)).messages).toEqual(other);
    expect((await session.beforeRequest(history)).info.checkpoint).toBe(1);
  });
});
