import type { ContextEngine, EngineHost, Message } from '@palimpsest/core';
import { assistant, createScriptedSummarizer, user, writeShortSummary } from '@palimpsest/testkit';
import { describe, expect, it } from 'vitest';
import { compressorOn, makeSession, turns } from '../make-session.ts';

const chat = (messages: number): Message[] =>
  Array.from({ length: messages }, (_, at) => (at % 2 === 0 ? user(`Question ${at}?`) : assistant(`Answer ${at}.`)));

/** The engine "compressor" with a threshold that it never reaches. */
function patient(host: EngineHost, summarizer = createScriptedSummarizer(writeShortSummary)): ContextEngine {
  const engine = compressorOn(host, summarizer, { threshold: 0.5, minimumThreshold: 0, abortOnSummaryFailure: true });
  return new Proxy(engine, {
    get(target, name) {
      if (name === 'explain')
        return (tokens?: number) => ({ ...target.explain(tokens), compact: false, effort: 'full' });
      const value: unknown = Reflect.get(target, name);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
}

/** An engine that fails in every pass. */
function broken(engine: ContextEngine): ContextEngine {
  return Object.assign(Object.create(engine) as ContextEngine, {
    compress: () => Promise.reject(new Error('This engine is broken.')),
  });
}

describe('a long-lived chat', () => {
  it('is compacted at a share of the window, even below the threshold of the engine', async () => {
    const { session } = makeSession({ window: 10_000, engine: (host) => patient(host) });
    const short = await session.beforeRequest(turns(20));
    expect(short.info.compactions).toEqual([]);
    const long = await session.beforeRequest(turns(31));
    expect(long.info.compactions.map(({ trigger }) => trigger)).toEqual(['hygiene']);
  });

  it('is compacted when it has very many messages', async () => {
    const { session } = makeSession({ window: 1_000_000, engine: (host) => patient(host), hygiene: { messages: 300 } });
    expect((await session.beforeRequest(chat(299))).info.compactions).toEqual([]);
    const made = await session.beforeRequest(chat(301));
    expect(made.info.compactions.map(({ trigger }) => trigger)).toEqual(['hygiene']);
    expect(made.messages.length).toBeLessThan(300);
  });

  it('is not compacted when the limits are turned off', async () => {
    const { session } = makeSession({
      window: 10_000,
      engine: (host) => patient(host),
      hygiene: { at: false, messages: false },
    });
    expect((await session.beforeRequest(turns(30))).info.compactions).toEqual([]);
  });

  it('is compacted after a pause, when the cache is cold', async () => {
    const { session, clock } = makeSession({ hygiene: { idle: { afterMs: 300_000, at: 0.5 } } });
    const messages = turns(11);
    await session.beforeRequest(messages);
    clock.advance(299_000);
    expect((await session.beforeRequest(messages)).info.compactions).toEqual([]);
    clock.advance(301_000);
    expect((await session.beforeRequest(messages)).info.compactions.map(({ trigger }) => trigger)).toEqual(['idle']);
  });

  it('is compacted between turns by tidy(), when it is due', async () => {
    const { session, clock } = makeSession({ hygiene: { idle: { afterMs: 300_000, at: 0.5 } } });
    await session.beforeRequest(turns(11));
    expect(await session.tidy()).toBe(null);
    clock.advance(300_000);
    expect((await session.tidy())?.noop).toBe(false);
    expect(session.records().map(({ trigger }) => trigger)).toEqual(['idle']);
    expect(await session.tidy()).toBe(null);
  });

  it('is not compacted again by tidy() after undo()', async () => {
    const { session, clock } = makeSession({ hygiene: { idle: { afterMs: 300_000, at: 0.5 } } });
    await session.beforeRequest(turns(11));
    clock.advance(300_000);
    expect((await session.tidy())?.noop).toBe(false);
    expect(await session.undo()).toBe(1);
    clock.advance(300_000);
    expect(await session.tidy()).toBe(null);
    expect(session.records().map(({ undone }) => undone)).toEqual([true]);
  });

  it('waits longer and longer after failures', async () => {
    const { session, clock, events } = makeSession({
      window: 10_000,
      engine: (host) => broken(patient(host)),
      limits: { attempts: 20 },
    });
    const messages = turns(31);
    const tries = (): number => events.filter(({ type }) => type === 'compaction-failed').length;
    const waits: number[] = [];
    await session.beforeRequest(messages);
    for (let failures = 1; failures <= 4; failures++) {
      let waited = 0;
      for (const before = tries(); tries() === before && waited < 2_000_000; waited += 30_000) {
        clock.advance(30_000);
        await session.beforeRequest(messages);
      }
      waits.push(waited);
    }
    expect(waits).toEqual([60_000, 300_000, 900_000, 900_000]);
  });
});
