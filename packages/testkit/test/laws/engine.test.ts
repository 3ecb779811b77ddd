import {
  type CompressOptions,
  type ContextEngine,
  type FailureReport,
  type Message,
  type ModelInfo,
  PalimpsestError,
} from '@palimpsest/core';
import {
  alignTailStart,
  createEngine,
  Draft,
  type EnginePlanner,
  type Plan,
  placeHandoff,
  type Transcript,
  writeHandoff,
} from '@palimpsest/core/authoring';
import { describe, expect, it } from 'vitest';
import { chat, settle, type TestHost, testHost, user } from '../../src/index.ts';

type State = { readonly passes: number };
type Work = (transcript: Transcript, asked: CompressOptions, state: State) => Plan<State> | Promise<Plan<State>>;

const model: ModelInfo = { id: 'model', contextLength: 10_000 };

function engineOf(
  work: Work,
  more: Partial<EnginePlanner<State>> = {},
  version = 1,
): { engine: ContextEngine; host: TestHost } {
  const host = testHost();
  const planner: EnginePlanner<State> = {
    initial: { passes: 0 },
    budget: ({ contextLength }) => ({
      contextLength,
      usableTokens: contextLength,
      thresholdTokens: contextLength * 0.75,
      tailTokens: 1_000,
      summaryTokens: 500,
    }),
    plan: async ({ transcript, asked, state }) => work(transcript, asked, state),
    ...more,
  };
  const engine = createEngine(planner, host, { name: 'test', stateVersion: version });
  void engine.updateModel(model);
  return { engine, host };
}

/** Drops `count` groups after the system prompt, and counts the pass. */
const drop =
  (count: number, notes: Plan<State>['notes'] = {}): Work =>
  (transcript, _request, { passes }) => {
    const draft = new Draft(transcript);
    if (count > 0) draft.replace([1, 1 + count], [], { code: 'drop' });
    return { edits: draft.edits(), state: { passes: passes + 1 }, notes };
  };

const planned = (engine: ContextEngine): unknown => engine.snapshot().state.planner;
const history = chat(12);
const failed: FailureReport = { class: 'network', message: 'refused', cooldownMs: 60_000 };

describe('an engine', () => {
  it('commits the state of its planner with a valid plan', async () => {
    const { engine } = engineOf(drop(9));
    const result = await engine.compress(history);
    expect(result.outcome).toBe('compacted');
    expect(result.messages).toHaveLength(history.length - result.report.dropped);
    expect(planned(engine)).toEqual({ passes: 1 });
    expect(engine.state).toMatchObject({ compactionCount: 1, lastPromptTokens: result.report.tokensAfter });
  });

  it('commits nothing if the plan is empty, the planner throws, or the plan breaks the contract or is aborted', async () => {
    const cases: Readonly<Record<string, Work>> = {
      nothing: drop(0),
      throws: () => {
        throw new Error('planner');
      },
      'drops the system prompt': (transcript, _request, { passes }) => {
        const draft = new Draft(transcript);
        draft.replace([0, 1], [], { code: 'drop' });
        return { edits: draft.edits(), state: { passes: passes + 1 } };
      },
      aborts: () => ({ edits: [], state: { passes: 7 }, outcome: 'aborted', notes: { failure: failed } }),
      grows: (transcript) => {
        const draft = new Draft(transcript);
        draft.replace([2, 3], [{ handoff: writeHandoff('more '.repeat(9_000)), carry: [] }], { code: 'summarize' });
        return { edits: draft.edits(), state: { passes: 7 } };
      },
    };
    for (const [what, work] of Object.entries(cases)) {
      const { engine } = engineOf(work);
      const before = JSON.stringify(history);
      const result = await engine.compress(history, { force: true }).catch(() => null);
      if (result) expect([what, result.messages === history, result.edits]).toEqual([what, true, []]);
      expect([what, planned(engine), engine.state.compactionCount]).toEqual([what, { passes: 0 }, 0]);
      expect(JSON.stringify(history)).toBe(before);
    }
  });

  it('lists every invariant that a rejected plan violates, without text of the transcript', async () => {
    const { engine } = engineOf((transcript) => {
      const draft = new Draft(transcript);
      draft.replace([0, transcript.groups.length], [{ handoff: writeHandoff('gone'), carry: [] }], { code: 'drop' });
      draft.rewrite(0, { content: 'gone too' }, { code: 'drop' });
      return { edits: draft.edits(), state: { passes: 1 } };
    });
    const error = await engine.compress([...history, user('Request 99')]).catch((reason: unknown) => reason);
    expect(PalimpsestError.is(error) && error.code).toBe('INVARIANT_VIOLATED');
    const { violations } = (error as PalimpsestError).details as { violations: string[] };
    expect(violations.some((one) => one.startsWith('invariant 3'))).toBe(true);
    expect(violations.some((one) => one.startsWith('invariant 4'))).toBe(true);
    expect(JSON.stringify([String(error), violations])).not.toContain('Request 99');
  });

  it('rejects invalid messages with a rejected promise and does not throw', async () => {
    const { engine } = engineOf(drop(1));
    const promise = engine.compress('text' as never);
    await expect(promise).rejects.toMatchObject({ code: 'MESSAGES_INVALID' });
  });

  it('runs concurrent calls one after the other, also after one that fails', async () => {
    const running: string[] = [];
    let turn = 0;
    const { engine, host } = engineOf(async (transcript, asked, state) => {
      const me = `${++turn}`;
      running.push(`start ${me}`);
      await new Promise<void>((resolve) => void host.clock.schedule(resolve, 1_000));
      running.push(`end ${me}`);
      if (me === '1') throw new Error('first');
      return drop(4)(transcript, asked, state);
    });
    const calls = [engine.compress(history), engine.compress(history), engine.compress(history.slice(0, 30))];
    const settled = await settle(Promise.allSettled(calls), host.clock);
    expect(settled.kind).toBe('fulfilled');
    expect(running).toEqual(['start 1', 'end 1', 'start 2', 'end 2', 'start 3', 'end 3']);
    expect(planned(engine)).toEqual({ passes: 2 });
  });

  it('aborts before, during and after planning, without changing the input array or the state', async () => {
    const aborted = AbortSignal.abort();
    const { engine } = engineOf(drop(5));
    const before = await engine.compress(history, { signal: aborted });
    expect(before).toMatchObject({
      outcome: 'aborted',
      edits: [],
      report: { failure: { class: 'cancelled', cooldownMs: 0 } },
    });
    expect(before.messages).toBe(history);

    const during = new AbortController();
    const { engine: second } = engineOf((transcript, asked, state) => {
      during.abort();
      return drop(5)(transcript, asked, state);
    });
    expect((await second.compress(history, { signal: during.signal })).outcome).toBe('aborted');
    const rejecting = new AbortController();
    const { engine: third } = engineOf(() => {
      rejecting.abort();
      throw rejecting.signal.reason;
    });
    expect((await third.compress(history, { signal: rejecting.signal })).outcome).toBe('aborted');
    for (const one of [engine, second, third])
      expect([planned(one), one.state.compactionCount]).toEqual([{ passes: 0 }, 0]);
  });

  it('discards a plan if the session was reset while it was made', async () => {
    const { engine, host } = engineOf(async (transcript, asked, state) => {
      await new Promise<void>((resolve) => void host.clock.schedule(resolve, 1_000));
      return drop(5)(transcript, asked, state);
    });
    const call = engine.compress(history);
    await new Promise(setImmediate);
    engine.onSessionReset();
    const settled = await settle(call, host.clock);
    expect(settled).toMatchObject({ kind: 'fulfilled', value: { outcome: 'aborted' } });
    expect(planned(engine)).toEqual({ passes: 0 });
    expect((await settle(engine.compress(history), host.clock)).kind).toBe('fulfilled');
    expect(planned(engine)).toEqual({ passes: 1 });
  });

  it('returns its own output as the same array, unless a request asks for more', async () => {
    const { engine } = engineOf(drop(5));
    const { messages } = await engine.compress(history, { targetTokens: 5_000 });
    const again = await engine.compress(messages, { targetTokens: 5_000 });
    expect([again.outcome, again.messages === messages]).toEqual(['unchanged', true]);
    expect((await engine.compress(JSON.parse(JSON.stringify(messages)), { targetTokens: 5_000 })).outcome).toBe(
      'unchanged',
    );
    expect((await engine.compress(messages, { targetTokens: 4_000 })).outcome).toBe('compacted');
  });

  it('compacts its output again for every request that asks for more than the last one', async () => {
    const asked: CompressOptions = { effort: 'free', targetTokens: 5_000, keepLastTurns: 2 };
    const more: readonly CompressOptions[] = [
      { ...asked, effort: 'full' },
      { ...asked, focusTopic: 'the tests' },
      { ...asked, targetTokens: 4_999 },
      { ...asked, force: true },
      { ...asked, keepLastTurns: 1 },
    ];
    const less: readonly CompressOptions[] = [asked, { ...asked, targetTokens: 6_000 }, { ...asked, keepLastTurns: 3 }];
    const outcomeOf = async (second: CompressOptions): Promise<string> => {
      const { engine } = engineOf(drop(5));
      const { messages } = await engine.compress(history, asked);
      return (await engine.compress(messages, second)).outcome;
    };
    for (const second of more) expect([second, await outcomeOf(second)]).toEqual([second, 'compacted']);
    for (const second of less) expect([second, await outcomeOf(second)]).toEqual([second, 'unchanged']);
  });

  it('compacts a transcript of the same length again if a message was changed', async () => {
    const { engine } = engineOf(drop(5));
    const { messages } = await engine.compress(history);
    const changed = messages.with(-1, { ...messages.at(-1)!, content: 'It exports nothing.' } as Message);
    expect((await engine.compress(changed)).outcome).toBe('compacted');
  });

  it('recognizes its output by the handoff if it no longer remembers it', async () => {
    const summary: Work = (transcript, _request, { passes }) => {
      const draft = new Draft(transcript);
      placeHandoff(
        draft,
        [
          1,
          alignTailStart(transcript, {
            wanted: Math.ceil(transcript.groups.length * 0.7),
            after: 1,
            accepts: () => true,
          }),
        ],
        'notes',
        { reason: { code: 'summarize' } },
      );
      return { edits: draft.edits(), state: { passes: passes + 1 } };
    };
    const { messages } = await engineOf(summary).engine.compress([...history, user('And now?')]);
    const fresh = (): ContextEngine => engineOf(summary).engine;
    expect((await fresh().compress(messages)).outcome).toBe('unchanged');
    expect((await fresh().compress(messages, { targetTokens: 1_000 })).outcome).toBe('compacted');
    expect((await fresh().compress(messages, { focusTopic: 'the tests' })).outcome).toBe('compacted');
    const grown = [...messages, { role: 'assistant', content: 'Nothing.' } as Message, user('Go on.')];
    expect((await fresh().compress(grown)).outcome).toBe('compacted');
    const small = fresh();
    await small.updateModel({ id: 'small', contextLength: 1_000 });
    expect((await small.compress(messages)).outcome).toBe('compacted');
  });

  it('compacts its own output again if the model has a smaller window', async () => {
    const { engine } = engineOf(drop(5));
    const { messages } = await engine.compress(history);
    await engine.updateModel({ id: 'small', contextLength: 2_000 });
    expect((await engine.compress(messages)).outcome).toBe('compacted');
  });

  it('does nothing when the same model is set again', async () => {
    let budgets = 0;
    const { engine } = engineOf(drop(5), {
      budget: ({ contextLength }) => {
        budgets++;
        return {
          contextLength,
          usableTokens: contextLength,
          thresholdTokens: 7_500,
          tailTokens: 0,
          summaryTokens: 0,
          warnings: ['odd'],
        };
      },
    });
    const made = budgets;
    await engine.updateModel({ ...model });
    expect(budgets).toBe(made);
    await engine.updateModel({ ...model, reserveOutputTokens: 1_000 });
    expect(budgets).toBe(made + 1);
  });
});

describe('the trigger of an engine', () => {
  const over = 8_000;
  const strike = async (engine: ContextEngine): Promise<void> => {
    await engine.compress(history, { currentTokens: over });
  };

  it('blocks after two passes without effect, reports that once, and probes after 300 s', async () => {
    const { engine, host } = engineOf(drop(0));
    for (let pass = 0; pass < 2; pass++) await strike(engine);
    expect(engine.explain(over)).toMatchObject({ compact: false, reason: 'blocked-dense' });
    engine.updateFromResponse({ promptTokens: over, completionTokens: 10 });
    engine.updateFromResponse({ promptTokens: over, completionTokens: 10 });
    expect(host.events.filter(({ type }) => type === 'threshold-blocked')).toHaveLength(1);
    host.clock.advance(300_000);
    expect(engine.explain(over)).toMatchObject({ compact: true, reason: 'probe' });
    await strike(engine);
    expect(engine.shouldCompress(over)).toBe(false);
  });

  it('is cleared by a prompt below the threshold, by force and by a model switch', async () => {
    const clearing: readonly ((engine: ContextEngine) => unknown)[] = [
      (engine) => engine.updateFromResponse({ promptTokens: 7_499, completionTokens: 1 }),
      (engine) => engine.compress(history, { force: true }),
      (engine) => engine.updateModel({ id: 'other', contextLength: 10_000 }),
    ];
    for (const clear of clearing) {
      const { engine } = engineOf(drop(0));
      for (let pass = 0; pass < 2; pass++) await strike(engine);
      expect(engine.shouldCompress(over)).toBe(false);
      await clear(engine);
      expect(engine.shouldCompress(over)).toBe(true);
    }
  });

  it('does not count a no-op below the threshold or with free effort as a strike', async () => {
    const { engine } = engineOf(drop(0));
    for (let pass = 0; pass < 4; pass++) {
      await engine.compress(history, { currentTokens: 100 });
      await engine.compress(history, { currentTokens: over, effort: 'free' });
    }
    expect(engine.status().strikes).toBe(0);
  });

  it('requests free effort during a cooldown, and full effort if forced', async () => {
    const efforts: unknown[] = [];
    const { engine, host } = engineOf((_transcript, asked, state) => {
      efforts.push(asked.effort);
      return { edits: [], state, outcome: 'aborted', notes: { failure: failed, modelCalls: 1 } };
    });
    await engine.compress(history);
    expect(engine.explain(over)).toMatchObject({ compact: false, effort: 'free', reason: 'cooldown' });
    expect(engine.status().cooldownUntil).toBe(host.clock.now() + 60_000);
    await engine.compress(history);
    await engine.compress(history, { force: true });
    host.clock.advance(60_000);
    await engine.compress(history);
    expect(efforts).toEqual(['full', 'free', 'full', 'full']);
  });

  it('takes the usage from the provider', async () => {
    const { engine } = engineOf(drop(0));
    engine.updateFromResponse({ promptTokens: 30_000, completionTokens: 500, cachedTokens: 20_000 });
    expect(engine.state).toMatchObject({
      lastPromptTokens: 30_000,
      lastCompletionTokens: 500,
    });
    expect(engine.status()).toMatchObject({ engine: 'test', model: 'model' });
    await engine.updateModel({ id: 'unknown', contextLength: 0 });
    expect(engine.explain().reason).toBe('no-window');
  });
});

describe('a snapshot', () => {
  it('restores everything in another engine: state, strikes, cooldown, counts', async () => {
    const { engine } = engineOf(drop(5, { modelCalls: 1, failure: failed }));
    await engine.compress(history);
    engine.updateFromResponse({ promptTokens: 5_000, completionTokens: 50 });
    const written = JSON.stringify(engine.snapshot());
    const { engine: other, host } = engineOf(drop(5));
    await other.restore(JSON.parse(written));
    expect(JSON.stringify(other.snapshot())).toBe(written);
    expect(other.status()).toEqual(engine.status());
    expect(host.events).toEqual([]);
  });

  it('is a copy that later calls do not change', async () => {
    const { engine } = engineOf(drop(5));
    const snapshot = engine.snapshot();
    await engine.compress(history);
    expect(snapshot.state.planner).toEqual({ passes: 0 });
  });

  it('of another engine or version, or a damaged one, gives a clean start and a reason without text of the snapshot', async () => {
    const { engine: source } = engineOf(drop(5));
    await source.compress(history);
    const good = source.snapshot();
    const state = good.state as unknown as Record<string, Record<string, unknown>>;
    const bad: readonly unknown[] = [
      { ...good, engine: 'other' },
      { ...good, version: 2 },
      null,
      'text',
      {},
      { ...good, state: null },
      { ...good, state: { ...state, planner: undefined, trigger: {} } },
      { ...good, state: { ...state, trigger: { ...state.trigger, strikes: 'two' } } },
      { ...good, state: { ...state, trigger: { ...state.trigger, cooldown: { until: 'soon' } } } },
      { ...good, state: { ...state, tokens: { ...state.tokens, compactionCount: null } } },
      { ...good, state: { ...state, settled: 'yes' } },
      { ...good, state: { ...state, planner: () => 1 } },
    ];
    for (const snapshot of bad) {
      const { engine, host } = engineOf(drop(5));
      const clean = JSON.stringify(engine.snapshot());
      await engine.compress(history);
      await engine.restore(snapshot as never);
      expect(JSON.stringify(engine.snapshot())).toBe(clean);
      expect(host.events.filter(({ type }) => type === 'snapshot-discarded')).toHaveLength(1);
      expect(engine.explain(9_000).compact).toBe(true);
    }
  });
});

describe('tools, sessions and events of an engine', () => {
  it('answer a known tool by the planner and an unknown one with an error in JSON', async () => {
    const { engine } = engineOf(drop(0), {
      tools: {
        schemas: [{ type: 'function', function: { name: 'recall' } }],
        handle: async (name, input) => JSON.stringify({ name, input }),
      },
    });
    expect(engine.toolSchemas().map((schema) => schema.function.name)).toEqual(['recall']);
    expect(await engine.handleToolCall('recall', { id: 1 }, { messages: [] })).toBe(
      '{"name":"recall","input":{"id":1}}',
    );
    expect(await engine.handleToolCall('forget', {}, { messages: [] })).toBe(
      '{"error":"Unknown context engine tool: forget"}',
    );
    expect(engineOf(drop(0)).engine.toolSchemas()).toEqual([]);
  });

  it('answer from the state of the last plan that was applied', async () => {
    const { engine } = engineOf(drop(4), {
      tools: {
        schemas: [{ type: 'function', function: { name: 'passes' } }],
        handle: async (_name, _input, { state }) => JSON.stringify(state),
      },
    });
    expect(await engine.handleToolCall('passes', {}, { messages: [] })).toBe('{"passes":0}');
    await engine.compress(history);
    expect(await engine.handleToolCall('passes', {}, { messages: [] })).toBe('{"passes":1}');
  });

  it('call the planner at the start and end of a session', async () => {
    const ended: number[] = [];
    const { engine } = engineOf(drop(5), {
      session: {
        start: async ({ sessionId }) => ({ passes: sessionId.length }),
        end: async (messages) => void ended.push(messages.length),
      },
    });
    await engine.onSessionStart({ sessionId: 'four', model: { id: 'next', contextLength: 50_000 } });
    expect(planned(engine)).toEqual({ passes: 4 });
    expect(engine.state.contextLength).toBe(50_000);
    await engine.onSessionEnd(history);
    expect(ended).toEqual([history.length]);
  });

  it('are emitted while a pass runs', async () => {
    const { engine, host } = engineOf(
      drop(5, { phases: [{ name: 'drop', durationMs: 3, reclaimedTokens: 10, messages: 5 }] }),
    );
    await engine.compress(history);
    // So much stays that the engine also warns.
    const types = ['compaction-start', 'warning', 'compaction-phase', 'compaction-end'];
    expect(host.events.map(({ type }) => type)).toEqual(types);
    expect(host.events.at(-1)).toMatchObject({ engine: 'test', outcome: 'compacted' });
  });
});
