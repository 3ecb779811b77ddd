import type { Message } from '@palimpsest/core';
import { assistant, call, createScriptedSummarizer, result, user, writeShortSummary } from '@palimpsest/testkit';
import { describe, expect, it } from 'vitest';
import { filler, makeSession, type TestSessionOptions } from '../make-session.ts';

/** One user turn with the given number of rounds. Each result has the given number of tokens. */
async function oneTurn(
  rounds: number,
  tokens: number,
  { results = 1, ...options }: TestSessionOptions & { readonly results?: number } = {},
) {
  const made = makeSession(options);
  const { session } = made;
  const messages: Message[] = [user('Read everything and write a report.')];
  const over: number[] = [];
  const window = session.status().contextLength;
  for (let round = 0; round < rounds; round++) {
    const request = await session.beforeRequest(messages);
    if (request.info.tokens > window) over.push(round);
    session.afterResponse({ prompt_tokens: request.info.tokens, completion_tokens: 20 }, request);
    const names = Array.from({ length: results }, (_, index) => `${round}-${index}`);
    messages.push(
      assistant(null, ...names.map((name) => call(`call_${name}`, 'read_file', { path: `src/file-${name}.ts` }))),
      ...names.map((name) => result(`call_${name}`, filler(tokens, name))),
    );
  }
  return { ...made, over };
}

describe('one user turn', () => {
  it('of 40 rounds that refill the window immediately calls a model three times, and once more for every eight answers', async () => {
    const { session, summarizer, over, events } = await oneTurn(40, 2_000, { results: 2 });
    const calling = session.records().filter(({ modelCalls }) => modelCalls > 0);
    expect(calling.length).toBeGreaterThanOrEqual(3);
    expect(calling.length).toBeLessThanOrEqual(3 + 40 / 8);
    expect(summarizer.calls.length).toBeLessThanOrEqual(3 + 40 / 8);
    expect(over).toEqual([]);
    expect(events.some(({ type }) => type === 'compaction-blocked')).toBe(true);
  });

  it('of 300 rounds is compacted as long as the agent makes progress, and stays within the window', {
    timeout: 180_000,
  }, async () => {
    const { session, over, events } = await oneTurn(300, 400, { window: 16_000 });
    const calling = session.records().filter(({ modelCalls }) => modelCalls > 0);
    expect(calling.length).toBeGreaterThan(5);
    expect(calling.length).toBeLessThanOrEqual(3 + 300 / 8);
    expect(over).toEqual([]);
    expect(events.filter(({ type }) => /blocked|exhausted|failed/.test(type))).toEqual([]);
  });

  it('has its own attempts, which an answer does not reset', async () => {
    const { session, summarizer } = makeSession();
    const messages: Message[] = [];
    const turnOf = async (name: string, rounds: number): Promise<number> => {
      const before = summarizer.calls.length;
      messages.push(user(`Request ${name}.`));
      for (let round = 0; round < rounds; round++) {
        const made = await session.beforeRequest(messages);
        session.afterResponse({ prompt_tokens: made.info.tokens }, made);
        messages.push(
          assistant(
            filler(1_500, `${name}${round}`),
            call(`${name}_${round}`, 'read_file', { path: `${name}/${round}.ts` }),
          ),
          result(`${name}_${round}`, 'It is empty.'),
        );
      }
      messages.push(assistant('Done.'));
      return summarizer.calls.length - before;
    };
    expect(await turnOf('one', 7)).toBeLessThanOrEqual(3);
    expect(await turnOf('two', 7)).toBeGreaterThan(0);
  });

  it('does not spend attempts on a failing summarizer, and uses it again when it recovers', async () => {
    for (const reply of [
      { failure: 'status', status: 401 },
      { failure: 'status', status: 402 },
      { failure: 'status', status: 403 },
      { failure: 'network' },
    ] as const) {
      let back = false;
      const summarizer = createScriptedSummarizer((request) => (back ? writeShortSummary(request) : reply) as never);
      const { session, clock, events } = makeSession({ summarizer });
      const messages: Message[] = [];
      let round = 0;
      const rounds = async (count: number): Promise<void> => {
        for (const end = round + count; round < end; round++) {
          const request = await session.beforeRequest(messages);
          expect(request.info.tokens).toBeLessThanOrEqual(8_000);
          session.afterResponse({ prompt_tokens: request.info.tokens }, request);
          messages.push(
            assistant(null, call(`call_${round}`, 'read_file', { path: `src/file-${round}.ts` })),
            result(`call_${round}`, filler(900, round)),
          );
        }
      };
      messages.push(user('Read everything.'));
      await rounds(40);
      // One call, then the engine waits.
      expect(summarizer.calls.length).toBe(1);
      expect(session.records().some(({ outcome }) => outcome === 'degraded')).toBe(true);
      expect(events.filter(({ type }) => /compaction-blocked|exhausted/.test(type))).toEqual([]);
      back = true;
      clock.advance(600_000);
      await rounds(10);
      expect(summarizer.calls.length).toBeGreaterThan(1);
      expect(session.records().at(-1)).toMatchObject({ outcome: 'compacted' });
    }
  });
});
