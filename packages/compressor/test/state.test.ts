import { type Message, readHandoff } from '@palimpsest/core';
import { writeHandoff } from '@palimpsest/core/authoring';
import {
  assistant,
  autonomousWork,
  call,
  callsWithResults,
  chat,
  createScriptedSummarizer,
  manualClock,
  testHost,
  user,
  writeShortSummary,
} from '@palimpsest/testkit';
import { describe, expect, it } from 'vitest';
import { makeEngine } from './make-engine.ts';

const small = { threshold: 0.5, minimumThreshold: 0 };
const model = { id: 'm', contextLength: 20_000 };

/** An engine with a window of 20,000 tokens, so that the threshold is 10,000. */
function engineOn(host = testHost(), options: Parameters<typeof makeEngine>[1] = small) {
  const engine = makeEngine(host, options);
  void engine.updateModel(model);
  return engine;
}

const output = (messages: readonly unknown[]): Message[] => [...messages] as Message[];

/** Requests and replies that cannot shrink: they are always in the tail. */
const dense = [user('x '.repeat(30_000)), assistant('Yes.'), user('And?')];

describe('anti-thrash', () => {
  it('blocks after two passes without savings, and reports that the session is near its limit and when it retries', async () => {
    const clock = manualClock();
    const engine = engineOn(testHost({ clock }));
    expect(engine.explain(12_000)).toMatchObject({ compact: true, reason: 'over-threshold' });
    await engine.compress(dense, { currentTokens: 15_000 });
    expect(engine.explain(12_000)).toMatchObject({ compact: true, reason: 'over-threshold' });
    await engine.compress([...dense], { currentTokens: 15_000 });
    expect(engine.status().strikes).toBe(2);
    const blocked = engine.explain(12_000);
    expect(blocked).toMatchObject({ compact: false, reason: 'blocked-dense', retryAt: clock.now() + 300_000 });
    expect(blocked.message).toContain('near its limit');
    expect(blocked.message).toContain('focus topic');
    clock.advance(299_999);
    expect(engine.shouldCompress(12_000)).toBe(false);
    clock.advance(1);
    expect(engine.explain(12_000)).toMatchObject({ compact: true, reason: 'probe' });
    await engine.compress([...dense], { currentTokens: 15_000 });
    expect(engine.explain(12_000)).toMatchObject({ reason: 'blocked-dense', retryAt: clock.now() + 300_000 });
  });

  it('distinguishes summaries that are too long from a dense session', async () => {
    const long = createScriptedSummarizer((request) => `${writeShortSummary(request)}\n${'- and this\n'.repeat(500)}`);
    const engine = engineOn(testHost({ summarizer: long }), { ...small, minimumSaving: 0.9 });
    let messages = chat(40, 1_500);
    for (let pass = 0; pass < 2; pass++) {
      const { messages: after, outcome } = await engine.compress(messages);
      expect(outcome).toBe('compacted');
      messages = [...output(after), ...chat(30, 1_500).slice(1)];
    }
    expect(engine.explain(12_000)).toMatchObject({ compact: false, reason: 'blocked-ineffective' });
    expect(engine.explain(12_000).message).toContain('summarizer');
  });

  it.each([
    [
      'a count of the provider below the threshold',
      (engine: ReturnType<typeof engineOn>) => engine.updateFromResponse({ promptTokens: 9_000, completionTokens: 1 }),
    ],
    ['another model', (engine: ReturnType<typeof engineOn>) => engine.updateModel({ id: 'n', contextLength: 20_000 })],
    ['a new session', (engine: ReturnType<typeof engineOn>) => engine.onSessionReset()],
  ])('ends with %s', async (_name, act) => {
    const engine = engineOn();
    for (let pass = 0; pass < 2; pass++) await engine.compress([...dense], { currentTokens: 15_000 });
    expect(engine.shouldCompress(12_000)).toBe(false);
    act(engine);
    expect(engine.status().strikes).toBe(0);
    expect(engine.explain(12_000)).toMatchObject({ compact: true, reason: 'over-threshold' });
  });

  it('ends with force, and continues while the provider counts more than the threshold', async () => {
    const engine = engineOn();
    for (let pass = 0; pass < 2; pass++) await engine.compress([...dense], { currentTokens: 15_000 });
    engine.updateFromResponse({ promptTokens: 11_000, completionTokens: 1 });
    expect(engine.shouldCompress(12_000)).toBe(false);
    await engine.compress(chat(40), { force: true });
    expect(engine.status().strikes).toBe(0);
    expect(engine.shouldCompress(12_000)).toBe(true);
  });

  it('calls no model if the last pass saved too little and the middle is small', async () => {
    const summarizer = createScriptedSummarizer(writeShortSummary);
    const engine = engineOn(testHost({ summarizer }), { ...small, tail: { tokens: 2_000 }, protectFirst: 0 });
    const messages = [user('a '.repeat(1_200)), assistant('Yes.'), ...dense];
    await engine.compress([...dense], { currentTokens: 15_000 });
    expect(engine.status().strikes).toBe(1);
    const { report } = await engine.compress(messages, { currentTokens: 15_000 });
    expect(summarizer.calls).toHaveLength(0);
    expect(report.reason).toContain('saved little');
    engine.onSessionReset();
    await engine.compress(messages, { currentTokens: 15_000 });
    expect(summarizer.calls).toHaveLength(1);
  });
});

describe('a failing summarizer', () => {
  const overloaded = { failure: 'status', status: 503 } as const;

  it('waits longer after every failure; meanwhile pruning continues and force gets one attempt; a success ends it', async () => {
    const clock = manualClock();
    const script = [overloaded, overloaded, overloaded, overloaded, writeShortSummary];
    const summarizer = createScriptedSummarizer(script);
    const engine = engineOn(testHost({ clock, summarizer }));
    for (const seconds of [60, 300, 900, 900]) {
      const { outcome, report } = await engine.compress(chat(40), { force: true });
      expect(outcome).toBe('degraded');
      expect(report.failure?.class).toBe('transient');
      const calls = summarizer.calls.length;
      const { retryAt, ...decision } = engine.explain(17_000);
      expect(decision).toMatchObject({ compact: false, effort: 'free', reason: 'cooldown' });
      expect(retryAt).toBe(clock.now() + seconds * 1_000);
      const pruned = await engine.compress([...chat(40)].concat(user('More?')));
      expect(pruned.report.modelCalls).toBe(0);
      expect(pruned.report.rewritten).toBeGreaterThan(0);
      expect(summarizer.calls).toHaveLength(calls);
      clock.advance(seconds * 1_000);
      expect(engine.shouldCompress(17_000)).toBe(true);
    }
    expect((await engine.compress(chat(40))).outcome).toBe('compacted');
    expect(engine.status()).toMatchObject({ cooldownUntil: null, lastFailure: null });
    expect(summarizer.overrun).toBe(0);
  });

  it('is reported in the number of messages dropped without a summary', async () => {
    const engine = engineOn(testHost({ summarizer: createScriptedSummarizer([overloaded, writeShortSummary]) }));
    const first = await engine.compress(chat(80, 400));
    expect(first.report.dropped).toBeGreaterThan(0);
    expect(engine.status().details).toMatchObject({ droppedWithoutSummary: first.report.dropped, fallbackUsed: true });
    expect(engine.status().lastFailure?.class).toBe('transient');
    await engine.compress([...output(first.messages), ...chat(80, 400).slice(1)], { force: true });
    expect(engine.status().details).toMatchObject({ droppedWithoutSummary: first.report.dropped, fallbackUsed: false });
    expect(engine.status().lastFailure).toBeNull();
    engine.onSessionReset();
    expect(engine.status().details).toMatchObject({ droppedWithoutSummary: 0, fallbackUsed: false, hasSummary: false });
  });

  it('is remembered until the next call, even if the main model took over', async () => {
    const summarizer = createScriptedSummarizer([overloaded, writeShortSummary]);
    const fallbackSummarizer = createScriptedSummarizer(writeShortSummary, { id: 'main' });
    const engine = engineOn(testHost({ summarizer, fallbackSummarizer }));
    const { outcome, report, messages } = await engine.compress(chat(40));
    expect(outcome).toBe('compacted');
    expect(report).toMatchObject({ summarizedBy: 'main', failure: null, auxiliaryFailure: { class: 'transient' } });
    expect(report.message).toContain('auxiliary summarizer failed first');
    expect(engine.status()).toMatchObject({ lastFailure: null, auxiliaryFailure: { class: 'transient' } });
    expect(engine.status().cooldownUntil).toBeNull();
    const snapshot = JSON.parse(JSON.stringify(engine.snapshot()));
    await engine.compress([...output(messages), ...chat(40).slice(1)], { force: true });
    expect(engine.status().auxiliaryFailure).toBeNull();
    await engine.restore(snapshot);
    expect(engine.status().auxiliaryFailure).toMatchObject({ class: 'transient' });
    engine.onSessionReset();
    expect(engine.status().auxiliaryFailure).toBeNull();
  });

  it('changes nothing if the pass is aborted: transcript, summary, counts', async () => {
    const refused = { failure: 'status', status: 401 } as const;
    const summarizer = createScriptedSummarizer([writeShortSummary, refused]);
    const engine = engineOn(testHost({ summarizer }), { ...small, abortOnSummaryFailure: true });
    const first = await engine.compress(chat(40));
    const before = engine.snapshot();
    const grown = [...output(first.messages), ...chat(40).slice(1)];
    const { outcome, messages, edits } = await engine.compress(grown, { force: true });
    expect(outcome).toBe('aborted');
    expect(messages).toBe(grown);
    expect(edits).toEqual([]);
    const after = engine.snapshot();
    expect(after.state.planner).toEqual(before.state.planner);
    expect(after.state.tokens).toEqual(before.state.tokens);
    expect(engine.status().lastFailure?.class).toBe('access');
  });

  it.each([
    ['refuses access', { failure: 'status', status: 401 }],
    ['has no credit', { failure: 'status', status: 402 }],
    ['forbids the call', { failure: 'status', status: 403 }],
    ['is unreachable', { failure: 'network', code: 'ECONNREFUSED' }],
  ] as const)('that %s is replaced by rules, the first time and during its cooldown', async (_name, reply) => {
    const clock = manualClock();
    const summarizer = createScriptedSummarizer(reply);
    const engine = engineOn(testHost({ clock, summarizer }), { ...small, protectFirst: 0 });
    const words = (count: number): Message[] =>
      Array.from({ length: count }, (_, at) => [user(`Part ${at}: ${'so '.repeat(400)}`), assistant('Noted.')]).flat();
    const first = await engine.compress(words(60));
    expect(first.outcome).toBe('degraded');
    expect(first.report.tokensAfter).toBeLessThan(10_000);
    expect(first.report.failure).not.toBeNull();
    expect(engine.explain(17_000)).toMatchObject({ compact: false, effort: 'free', reason: 'cooldown' });
    // Plain text cannot be pruned: during the cooldown, rules write the next handoff, too.
    const grown = [...output(first.messages), ...words(60)];
    const second = await engine.compress(grown, { effort: 'free' });
    expect(second.outcome).toBe('degraded');
    expect(second.report).toMatchObject({ modelCalls: 0, summarizedBy: 'extractive', failure: first.report.failure });
    expect(second.report.tokensAfter).toBeLessThan(10_000);
    const third = await engine.compress([...output(second.messages), ...words(60)], { targetTokens: 4_000 });
    expect(third.report.modelCalls).toBe(0);
    expect(third.report.tokensAfter).toBeLessThan(4_100);
    expect(summarizer.calls).toHaveLength(1);
  });

  it('is not replaced by rules if pruning is enough', async () => {
    const summarizer = createScriptedSummarizer(overloaded);
    const engine = engineOn(testHost({ summarizer }));
    await engine.compress(chat(40), { force: true });
    const { report, outcome } = await engine.compress([...chat(40), user('More?')]);
    expect(outcome).toBe('compacted');
    expect(report).toMatchObject({ modelCalls: 0, summarizedBy: null });
    expect(report.tokensAfter).toBeLessThan(10_000);
  });

  it('gets a cooldown if the caller cancels before it answers: the call is counted, and the retry makes none', async () => {
    const clock = manualClock();
    const cancels: (() => void)[] = [];
    const summarizer = createScriptedSummarizer((request) => {
      cancels.at(-1)!();
      return writeShortSummary(request);
    });
    const ended: number[] = [];
    const host = testHost({
      clock,
      summarizer,
      emit: (event) => {
        if (event.type === 'compaction-end') ended.push(event.modelCalls);
      },
    });
    const engine = engineOn(host);
    const attempt = (messages: Message[]) => {
      const abort = new AbortController();
      cancels.push(() => abort.abort());
      return engine.compress(messages, { signal: abort.signal });
    };
    for (const seconds of [15, 60, 300, 900, 900]) {
      const cut = await attempt(chat(40));
      expect(cut).toMatchObject({ outcome: 'aborted', report: { modelCalls: 1, failure: { class: 'cancelled' } } });
      expect(ended.at(-1)).toBe(1);
      const { retryAt, ...decision } = engine.explain(17_000);
      expect(decision).toMatchObject({ compact: false, effort: 'free', reason: 'cooldown' });
      expect(retryAt).toBe(clock.now() + seconds * 1_000);
      const retried = await attempt(chat(40).concat(user(`Again after ${seconds} s?`)));
      expect(retried.report.modelCalls).toBe(0);
      expect(retried.report.tokensAfter).toBeLessThan(10_000);
      clock.advance(seconds * 1_000);
    }
    expect(summarizer.calls).toHaveLength(5);
  });

  it('is not called for a middle of two sentences', async () => {
    const summarizer = createScriptedSummarizer(overloaded);
    const engine = engineOn(testHost({ summarizer }), { ...small, protectFirst: 0 });
    const look = (id: string) =>
      callsWithResults([call(id, 'terminal', { command: `run ${id}` }), `${id} ok\n`.repeat(4_000)]);
    const long = assistant('It is so. '.repeat(1_600));
    const messages = [user('Hello.'), assistant('Hello, what can I do?'), user('Run them.')];
    messages.push(...look('a'), ...look('b'), long, user('And?'));
    const { outcome, report } = await engine.compress(messages);
    expect(outcome).toBe('compacted');
    expect(report).toMatchObject({ modelCalls: 0, failure: null, summarizedBy: null });
    expect(report.reason).toContain('too small');
    expect(engine.status().cooldownUntil).toBeNull();
  });

  it('leaves the transcript as it is with the option `abortOnSummaryFailure`', async () => {
    const summarizer = createScriptedSummarizer(overloaded);
    const engine = engineOn(testHost({ summarizer }), { ...small, abortOnSummaryFailure: true });
    const messages = chat(40);
    expect(await engine.compress(messages)).toMatchObject({ outcome: 'aborted', messages });
  });
});

describe('an earlier handoff', () => {
  it('is updated by an engine that knows only the transcript, and by one restored from a snapshot', async () => {
    const first = engineOn();
    const { messages } = await first.compress(chat(40));
    const body = readHandoff(output(messages).find((message) => readHandoff(message))!)!.body;
    const grown = JSON.parse(JSON.stringify([...messages, ...chat(40).slice(1)])) as Message[];
    const snapshot = JSON.parse(JSON.stringify(first.snapshot()));
    const outputs = [];
    for (const restored of [false, true]) {
      const summarizer = createScriptedSummarizer(writeShortSummary);
      const engine = engineOn(testHost({ summarizer }));
      if (restored) engine.restore(snapshot);
      const second = await engine.compress(grown, { force: true });
      expect(summarizer.calls[0]!.material.previousSummary).toBe(body);
      // The old handoff is state: it is replaced and not summarized as a turn.
      expect(output(second.messages).filter((message) => readHandoff(message))).toHaveLength(1);
      expect(summarizer.calls[0]!.prompt).not.toContain('CONTEXT HANDOFF');
      outputs.push(JSON.stringify(second.messages));
    }
    expect(outputs[1]).toBe(outputs[0]);
  });

  it('that is remembered but not in the transcript belongs to another session and is not used', async () => {
    const summarizer = createScriptedSummarizer(writeShortSummary);
    const engine = engineOn(testHost({ summarizer }));
    await engine.compress(chat(40));
    expect(engine.snapshot().state.planner).toMatchObject({ handoffDigest: expect.any(String) });
    await engine.compress(autonomousWork(40), { force: true });
    expect(summarizer.calls[1]!.material.previousSummary).toBeNull();
    const other = engineOn();
    await other.restore(engine.snapshot());
    await other.compress(chat(40).concat(user('Which?')), { effort: 'free' });
    expect(other.snapshot().state.planner).toMatchObject({ handoffDigest: null });
  });

  it('is merged with other handoffs, oldest first, and text that a user wrote after one is kept', async () => {
    const summarizer = createScriptedSummarizer(writeShortSummary);
    const engine = engineOn(testHost({ summarizer }));
    const messages = [
      user(writeHandoff('## Goal\nThe first.')),
      ...chat(20).slice(1),
      user(`${writeHandoff('## Goal\nThe second.')}\n\nSENTINEL of the host`),
      assistant('Yes.'),
      ...chat(20).slice(1),
    ];
    await engine.compress(messages, { force: true });
    const { previousSummary } = summarizer.calls[0]!.material;
    expect(previousSummary).toMatch(/The first\.[\s\S]*The second\./);
    expect(summarizer.calls[0]!.prompt).toContain('SENTINEL of the host');
  });

  it('reduces the head to the system prompt, and the released messages are summarized next', async () => {
    const summarizer = createScriptedSummarizer(writeShortSummary);
    const engine = engineOn(testHost({ summarizer }), { ...small, protectFirst: 4 });
    const opening = [user('OPENING request'), assistant('OPENING reply')];
    const [system, ...turns] = chat(40);
    const first = await engine.compress([system!, ...opening, ...turns]);
    expect(first.messages.slice(1, 3)).toEqual(opening);
    expect(summarizer.calls[0]!.prompt).not.toContain('OPENING');
    const again = await engine.compress(first.messages);
    expect(again.outcome).toBe('unchanged');
    const second = await engine.compress([...output(first.messages), ...turns], { force: true });
    // The list of the user's messages may quote them, but none of them is a message any more.
    for (const { content } of opening) expect(second.messages.map((message) => message.content)).not.toContain(content);
    expect(readHandoff(output(second.messages)[1]!)).not.toBeNull();
    expect(summarizer.calls[1]!.prompt).toContain('OPENING request');
    expect(summarizer.calls[1]!.prompt).toContain('OPENING reply');
  });
});

it('a summarizer gets every message of the middle, and none of the head and the tail', async () => {
  const summarizer = createScriptedSummarizer(writeShortSummary);
  const engine = engineOn(testHost({ summarizer }));
  const messages = chat(120, 400).map((message, index) =>
    message.role === 'system' || message.tool_calls
      ? message
      : { ...message, content: `SENTINEL<${index}> ${message.content}` },
  ) as Message[];
  const { provenance } = await engine.compress(messages);
  const { prompt } = summarizer.calls[0]!;
  const outcomes = new Set<string>();
  provenance.source.forEach(({ kind }, index) => {
    if (!String(messages[index]!.content).startsWith('SENTINEL')) return;
    outcomes.add(kind);
    expect(prompt.includes(`SENTINEL<${index}>`), `message ${index} was ${kind}`).toBe(kind === 'summarized');
  });
  expect([...outcomes]).toEqual(expect.arrayContaining(['kept', 'summarized']));
});
