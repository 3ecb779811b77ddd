import { contentText, type EngineHost, type Message, readHandoff } from '@palimpsest/core';
import { createEngine, validateOptions } from '@palimpsest/core/authoring';
import { pruneCompactOptions, pruneCompactPlanner } from '@palimpsest/prune-compact';
import { assistant, createScriptedSummarizer, image, system, user, writeShortSummary } from '@palimpsest/testkit';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { SessionHooks } from '../../src/options/session-hooks.ts';
import { compressorOn, makeSession, turn } from '../make-session.ts';
import { memoryStore } from '../persistence/memory-store.ts';

const deep = process.env.PALIMPSEST_DEEP !== undefined;
const key = 'a key of this test, which signs the same handoffs in every session';
const engineOptions = { tail: { tokens: 400 } };
const prompt = system('You are a coding agent.');

const turns = (from: number, to: number, tokens = 200): Message[] =>
  Array.from({ length: to - from }, (_, index) => turn(from + index, tokens)).flat();

/** A conversation without tools. */
const talk = (count: number): Message[] =>
  Array.from({ length: count }, (_, at) => [
    user(`Request ${at}: please say more about the subject with the number ${at}. ${'It matters to me. '.repeat(20)}`),
    assistant(`About ${at}: ${'There is a lot to say about it. '.repeat(10)}`),
  ]).flat();

/** A session whose summaries are written by rules. */
const offline = (more: object = {}) =>
  makeSession({
    window: 100_000,
    key,
    engine: (host) => compressorOn(host, undefined, { threshold: 0.5, minimumThreshold: 0, ...engineOptions }),
    ...more,
  }).session;

const bytes = async (session: ReturnType<typeof offline>, messages: readonly Message[]): Promise<string> =>
  JSON.stringify((await session.beforeRequest(messages)).messages);

const handoffs = (messages: readonly object[]): number =>
  messages.filter((message) => readHandoff(message as Message) !== null).length;

describe('compactions in a row', () => {
  it('give the same messages as a single one at the end, when rules write the summary', async () => {
    const step = fc.array(fc.integer({ min: 150, max: 400 }), { minLength: 4, maxLength: 8 });
    const steps = fc.array(step, { minLength: 2, maxLength: 6 });
    await fc.assert(
      fc.asyncProperty(steps, async (sizes) => {
        const many = offline();
        const history = [prompt];
        for (const own of sizes) {
          for (const tokens of own) history.push(...turn(history.length, tokens));
          expect(await many.compact({ messages: history })).toMatchObject({ noop: false });
        }
        expect(many.records()).toHaveLength(sizes.length);
        const once = offline();
        await once.compact({ messages: history });
        expect(await bytes(many, history)).toBe(await bytes(once, history));
      }),
      { numRuns: deep ? 300 : 12 },
    );
  });

  it('have a model read only what is new, and give it the earlier summary', async () => {
    const { session, summarizer } = makeSession({ window: 100_000, engineOptions });
    const history = turns(0, 30);
    await session.compact({ messages: history });
    const longer = [...history, ...turns(30, 60)];
    await session.compact({ messages: longer });
    const [first, second] = summarizer.calls;
    expect(summarizer.calls).toHaveLength(2);
    expect(JSON.stringify(first!.material.messages)).toContain('Request 3: please');
    expect(JSON.stringify(second!.material.messages)).not.toContain('Request 3: please');
    expect(second!.prompt).not.toContain('\n3:1 const value_1');
    expect(second!.prompt).toContain('40:1 const value_1');
    expect(second!.material.previousSummary).toMatch(/Noted from \d+ messages/);
    const { messages } = await session.beforeRequest(longer);
    expect(handoffs(messages)).toBe(1);
  });

  it('call no model when nothing new is summarized', async () => {
    const { session, summarizer } = makeSession({ window: 100_000, engineOptions });
    const history = turns(0, 30);
    await session.compact({ messages: history });
    const before = await bytes(session, history);
    expect(await session.compact({ messages: history })).toMatchObject({ noop: true });
    expect(summarizer.calls).toHaveLength(1);
    expect(await bytes(session, history)).toBe(before);
  });

  it('keep what a model wrote when rules write the next summary', async () => {
    const summarizer = createScriptedSummarizer([
      (request) => writeShortSummary(request).replaceAll(/Noted from \d+ messages\./g, 'The user likes small steps.'),
      { failure: 'status', status: 400 },
      { failure: 'status', status: 400 },
      { failure: 'status', status: 400 },
    ]);
    const { session } = makeSession({ window: 100_000, engineOptions, summarizer });
    await session.compact({ messages: turns(0, 30) });
    await session.compact({ messages: turns(0, 50) });
    await session.compact({ messages: turns(0, 70) });
    expect(await bytes(session, turns(0, 70))).toContain('The user likes small steps.');
  });
});

describe('a compaction of the original', () => {
  it('does not use the summary of an edited history', async () => {
    const { session, summarizer } = makeSession({ window: 100_000, engineOptions });
    await session.compact({ messages: turns(0, 30) });
    const edited = [user('Something else.'), assistant('Yes.'), ...turns(1, 40)];
    await session.compact({ messages: edited });
    expect(summarizer.calls[1]!.material.previousSummary).toBeNull();
    expect(summarizer.calls[1]!.prompt).toContain('Request 3: please');
  });

  it('can be undone, and repeated with the same result', async () => {
    const session = offline();
    await session.compact({ messages: turns(0, 20) });
    const first = await bytes(session, turns(0, 30));
    await session.compact({ messages: turns(0, 30) });
    const second = await bytes(session, turns(0, 30));
    expect(second).not.toBe(first);
    expect(await session.undo()).toBe(2);
    expect(await bytes(session, turns(0, 30))).toBe(first);
    await session.compact({ messages: turns(0, 30) });
    expect(await bytes(session, turns(0, 30))).toBe(second);
  });

  it('continues with another engine', async () => {
    const store = memoryStore();
    const first = makeSession({ window: 100_000, key, engineOptions, store });
    await first.session.compact({ messages: talk(30) });
    await first.session.end();
    const summarizer = createScriptedSummarizer(writeShortSummary);
    const engine = (host: EngineHost) => {
      const own = { ...host, summarizer };
      return createEngine(pruneCompactPlanner(validateOptions(pruneCompactOptions, {}, 'this test'), own), own, {
        name: 'prune-compact',
      });
    };
    const { session } = makeSession({ window: 8_000, key, engine, store });
    const { messages } = await session.beforeRequest(talk(90));
    expect(session.records().length).toBeGreaterThan(1);
    expect(handoffs(messages)).toBe(1);
    expect(summarizer.calls[0]!.material.previousSummary).toMatch(/Noted from \d+ messages/);
    expect(JSON.stringify(summarizer.calls[0]!.material.messages)).not.toContain('Request 3: please');
  });

  it('reports each removed result once', async () => {
    const reported: string[][] = [];
    const hooks: SessionHooks = {
      afterCompaction: ({ removedResults }) => {
        reported.push(
          removedResults.filter(({ outcome }) => outcome !== 'shortened').map(({ toolCallId }) => toolCallId),
        );
        return undefined;
      },
    };
    const session = offline({ hooks });
    await session.compact({ messages: turns(0, 20) });
    await session.compact({ messages: turns(0, 40) });
    expect(reported).toHaveLength(2);
    expect(reported[0]).toContain('call_3');
    expect(reported[1]).toContain('call_25');
    expect(new Set(reported.flat()).size).toBe(reported.flat().length);
  });

  it('continues after a restart', async () => {
    const store = memoryStore();
    const first = offline({ store });
    await first.compact({ messages: turns(0, 20) });
    await first.end();
    const again = offline({ store });
    await again.compact({ messages: turns(0, 40) });
    const once = offline();
    await once.compact({ messages: turns(0, 40) });
    expect(await bytes(again, turns(0, 40))).toBe(await bytes(once, turns(0, 40)));
  });
});

describe('a picture that a provider refused', () => {
  const picture = user([{ type: 'text', text: 'Look at this.' }, image('oneAAAA'.repeat(600))] as never);
  const newer = user([{ type: 'text', text: 'And at this.' }, image('twoAAAA'.repeat(600))] as never);
  const refused = Object.assign(new Error('Request Entity Too Large'), { status: 413 });

  /** Sends a conversation that is refused once. */
  async function refuse(session: ReturnType<typeof offline>, messages: readonly Message[]): Promise<void> {
    let calls = 0;
    await session.run(messages, async () => {
      if (calls++ === 0) throw refused;
      return { text: 'Fine.', usage: { prompt_tokens: 900, completion_tokens: 7 } };
    });
  }

  it.each([false, true])(
    'does not come back in the tail of a later compaction (after a restart: %s)',
    async (restart) => {
      const store = memoryStore();
      let session = offline({ store });
      const history = [...turns(0, 20), picture, assistant('I see.'), newer];
      await refuse(session, history);
      expect(await bytes(session, history)).not.toContain('oneAAAA');
      expect(await session.compact({ messages: history })).toMatchObject({ noop: false });
      if (restart) {
        await session.end();
        session = offline({ store });
      }
      const longer = [...history, assistant('And this.'), user('Now both again.')];
      await session.compact({ messages: longer, keepLastTurns: 3 });
      const sent = await bytes(session, longer);
      expect(sent).toContain('Look at this.');
      expect(sent).not.toContain('oneAAAA');
    },
  );

  it('does not come back when it was refused in a message that a handoff carried', async () => {
    const session = offline();
    const work = turns(1, 30).filter(({ role }) => role !== 'user');
    const history = [prompt, picture, ...work];
    await session.compact({ messages: history });
    await refuse(session, history);
    expect(await bytes(session, history)).not.toContain('oneAAAA');
    const longer = [...history, ...turns(30, 50).filter(({ role }) => role !== 'user')];
    await session.compact({ messages: longer });
    const sent = await bytes(session, longer);
    expect(sent).toContain('Look at this.');
    expect(sent).not.toContain('oneAAAA');
    expect(contentText((await session.beforeRequest(longer)).messages[0]!.content as never)).toBe(prompt.content);
  });
});
