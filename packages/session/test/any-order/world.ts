import { type ContextEngine, type Message, validateTranscript } from '@palimpsest/core';
import { type ManualClock, manualClock } from '@palimpsest/testkit';
import { expect } from 'vitest';
import type { PreparedRequest } from '../../src/conversation/prepared-request.ts';
import type { SessionEvent } from '../../src/events/session-event.ts';
import type { Session } from '../../src/session.ts';
import { compressorOn, makeSession } from '../make-session.ts';
import { memoryStore } from '../persistence/memory-store.ts';
import { Conversation } from './conversation.ts';
import { type Page, Pages } from './pages.ts';

export const windowTokens = 16_000;

/** Compactions by the session alone, which do not count for the engine. */
const withoutEngine: ReadonlySet<string> = new Set(['arrival', 'results', 'media']);

export type Writer = 'given' | 'own';

/** A session with its host, its model and its provider, and the laws that its requests have to keep. */
export class World {
  readonly clock: ManualClock = manualClock();
  readonly pages = new Pages(this.clock);
  readonly events: SessionEvent[] = [];
  session!: Session;
  main = new Conversation('a');
  other: Conversation | null = null;
  /** The request that is not answered yet. */
  open: PreparedRequest | null = null;
  /** True if the provider refused the last request inside its stream. */
  isRefused = false;
  /** True if the session knows the conversation. */
  isKnown = false;
  readonly #writer: Writer;
  readonly #store = memoryStore();
  #engine!: ContextEngine;
  /** Number of the first compaction of this conversation. */
  #first = 1;
  /** Pages that were not in the prompt of the next one, or were asked for after three failures in a row. */
  readonly #lost: Page[] = [];
  /** True once two conversations ran on the session: its engine then counts the compactions of both. */
  #isShared = false;

  constructor(writer: Writer) {
    this.#writer = writer;
    this.pages.asked = (page) => {
      const isPaused = this.pages.failures >= 3 && this.clock.now() - this.pages.failedAt < 900_000;
      if (isPaused) this.#lost.push(page);
      page.about = this.main.name;
      const own = this.pages.unused.filter(({ about }) => about === page.about);
      this.#lost.push(...own.filter(({ mark }) => !page.prompt.includes(mark)));
      this.pages.unused = this.pages.unused.filter((unused) => !own.includes(unused));
    };
    this.start();
  }

  /** A new process. Calls of the old one are never answered. */
  start(): void {
    this.pages.forget();
    this.pages.failures = 0;
    this.isRefused = false;
    this.isKnown = false;
    this.pages.open.length = 0;
    const { session } = makeSession({
      window: windowTokens,
      clock: this.clock,
      store: this.#store,
      summaries: this.#writer === 'given' ? this.pages.summarizer : 'model',
      engine: (host) => {
        this.#engine = compressorOn(host, host.summarizer as never, { threshold: 0.5, minimumThreshold: 0 });
        return this.#engine;
      },
      hooks: { onEvent: (event) => this.events.push(event) },
    });
    this.session = session;
    if (this.#writer === 'own') session.adapter.attachPages();
    this.open = null;
  }

  /** Forgets the conversations, and whatever is true only as long as they go on. */
  begin(): void {
    this.pages.forget();
    this.main = new Conversation(this.main.name === 'a' ? 'b' : 'a');
    this.other = null;
    this.open = null;
    this.isKnown = false;
    this.isRefused = false;
    this.#isShared = false;
    this.#first = (this.session.records().at(-1)?.number ?? 0) + 1;
  }

  /** Continues with another conversation on the same session. */
  switch(): void {
    this.#isShared = true;
    this.open = null;
    // A plan waits only for the next request.
    this.noteRules();
    const next = this.other ?? new Conversation('z');
    this.other = this.main;
    this.main = next;
  }

  async send(): Promise<void> {
    const { main } = this;
    if (main.isAnswered) main.ask();
    const before = this.events.length;
    const request = await this.inTime(this.session.beforeRequest([...main.history]));
    const types = this.events.slice(before).map(({ type }) => type);
    this.open = request;
    this.isKnown = true;
    this.#check(request, types);
    const { compactions, warnings } = request.info;
    const triggers = compactions.map(({ trigger }) => trigger);
    if (triggers.includes('results') && warnings.length === 0)
      expect(types, 'rules write before results are cut').toContain('compaction-start');
    if (triggers.includes('overflow')) expect(this.isRefused, 'only its own refusals compact it').toBe(true);
    this.isRefused = false;
  }

  /** Waits for an operation that must not wait for a page. */
  async inTime<T>(work: Promise<T>): Promise<T> {
    let isDone = false;
    const done = work.finally(() => {
      isDone = true;
    });
    done.catch(() => undefined);
    for (let tries = 0; !isDone && tries < 4; tries++) {
      await settle();
      if (!isDone) this.clock.advance(25);
    }
    expect(isDone, 'no request waits for a page').toBe(true);
    return done;
  }

  #check({ messages, info }: PreparedRequest, types: readonly SessionEvent['type'][]): void {
    const { main } = this;
    expect(validateTranscript(messages as Message[]), 'what is sent is legal').toEqual([]);
    const text = JSON.stringify(messages);
    for (const words of main.required)
      expect(text.includes(JSON.stringify(words).slice(1, -1)), `the request has "${words.slice(0, 40)}"`).toBe(true);
    expect(info.tokens, 'it fits the window').toBeLessThanOrEqual(this.session.status().contextLength);
    const sent = messages.map((message) => JSON.stringify(message));
    // A repeated request may be the first in which its new results are shortened.
    const end = types.includes('results-shaped')
      ? messages.findLastIndex(({ role }) => role === 'assistant') + 1
      : sent.length;
    const before = main.sent?.slice(0, end) ?? [];
    if (info.compactions.length === 0) expect(sent.slice(0, before.length), 'the beginning stays').toEqual(before);
    main.sent = sent;
    this.pages.unused = this.pages.unused.filter(({ mark }) => !text.includes(mark));
    this.#checkPages(info);
    this.#checkEngine();
  }

  /** A page is in the first request after it. If rules wrote before it arrived, it is in the prompt of the next page. */
  #checkPages({ compactions }: PreparedRequest['info']): void {
    const inTime = this.pages.unused.filter(({ about, isLate }) => about === this.main.name && !isLate);
    const lost = [...this.#lost, ...inTime];
    expect(
      lost.map(({ mark }) => mark),
      'no page is paid for in vain',
    ).toEqual([]);
    if (compactions.some(({ modelCalls, trigger }) => modelCalls === 0 && !withoutEngine.has(trigger)))
      this.noteRules();
  }

  /** No plan waits any more for the pages that are not used yet. */
  noteRules(): void {
    for (const page of [...this.pages.open, ...this.pages.unused]) page.isLate = true;
  }

  #checkEngine(): void {
    if (this.#isShared || this.pages.open.length > 0) return;
    const own = this.session.records().filter(({ number, trigger, undone }) => {
      return number >= this.#first && !undone && !withoutEngine.has(trigger);
    });
    expect(this.#engine.state.compactionCount, 'the engine knows the compactions in effect').toBe(own.length);
  }
}

export async function settle(): Promise<void> {
  for (let wait = 0; wait < 12; wait++) await new Promise(setImmediate);
}
