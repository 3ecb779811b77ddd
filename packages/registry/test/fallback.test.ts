import type { ContextEngine, ContextEvent, EngineSnapshot, Message, Summarizer } from '@palimpsest/core';
import type { EnginePlanner, EnginePlugin } from '@palimpsest/core/authoring';
import { describe, expect, it } from 'vitest';
import { createEngineHost, createRegistry, type RegistryOptions } from '../src/index.ts';
import { conversation } from './conversation.ts';
import { budget, type Count, oddPlugin, plugin, trimmer } from './engines.ts';
import { StoppedClock } from './stopped-clock.ts';

const safe = plugin('safe', () => trimmer('Written by the fallback.'));
const secret = `sk-proj-${'aB3dE5fG7h'.repeat(5)}`;

interface Trial {
  readonly engine: ContextEngine;
  readonly events: ContextEvent[];
  readonly clock: StoppedClock;
}

async function trial(
  odd: EnginePlugin,
  { summarizer, ...options }: RegistryOptions & { summarizer?: Summarizer } = {},
): Promise<Trial> {
  const events: ContextEvent[] = [];
  const clock = new StoppedClock();
  const registry = createRegistry({
    builtIns: [safe],
    plugins: [odd],
    fallback: 'safe',
    onEvent: (event) => events.push(event),
    ...options,
  });
  const host = createEngineHost({ clock, summarizer });
  return { engine: await registry.create({ engine: odd.name }, host), events, clock };
}

function replacements(events: readonly ContextEvent[]): ContextEvent[] {
  return events.filter((event) => event.type === 'engine-replaced');
}

/** Compacts with a failing engine, and checks what is common to all failures. */
async function failing({ engine, events }: Trial, reason: string | RegExp): Promise<void> {
  const messages = conversation();
  const before = structuredClone(messages);
  const result = await engine.compress(messages);
  expect(messages).toEqual(before);
  const expected = typeof reason === 'string' ? reason : expect.stringMatching(reason);
  expect(replacements(events)).toEqual([
    { type: 'engine-replaced', engine: engine.name, fallback: 'safe', reason: expected },
  ]);
  expect(result.outcome).toBe('compacted');
  expect(result.report.engine).toBe('safe');
  expect(result.report.warnings[0]).toMatch(
    /^Engine "\w+" failed and was replaced by "safe" for the rest of the session: /,
  );
  const later = await engine.compress(conversation(20));
  expect(later.report).toMatchObject({ engine: 'safe', warnings: [] });
  expect(replacements(events)).toHaveLength(1);
}

const planning = (plan: unknown): EnginePlugin => oddPlugin('odd', { plan: async () => plan });
const editing = (...edits: readonly unknown[]): EnginePlugin => planning({ edits, state: { passes: 1 } });
const refusing = (reason: unknown = new Error('no')): EnginePlugin =>
  oddPlugin('odd', { plan: () => Promise.reject(reason) });

it('replaces no engine because of a wrong option', async () => {
  const { engine, events } = await trial(plugin('whole', () => trimmer('Written by the engine.')));
  for (const wrong of [{ targetTokens: Number.NaN }, { keepLastTurns: -1 }, { targettokens: 9 } as object])
    await expect(engine.compress(conversation(), wrong)).rejects.toMatchObject({ code: 'OPTION_INVALID' });
  expect(replacements(events)).toEqual([]);
});

describe('an engine is replaced for the rest of the session, and the fallback handles the same call, when its planner', () => {
  it('throws', async () => {
    const odd = oddPlugin('odd', {
      plan: () => {
        throw new Error('out of ideas');
      },
    });
    await failing(await trial(odd), 'out of ideas');
  });

  it('rejects with something that is not an error', async () => {
    const unreadable = {
      get message(): string {
        throw new Error('no');
      },
    };
    await failing(await trial(refusing(unreadable)), 'it threw an unreadable value');
    await failing(await trial(refusing(null)), 'it threw object');
  });

  it('throws an error with a secret, which is masked', async () => {
    const subject = await trial(refusing(new Error(`401 for ${secret}`)));
    await failing(subject, /^401 for /);
    expect(JSON.stringify(subject.events)).not.toContain(secret);
  });

  it('does not settle: after 120 s', async () => {
    const subject = await trial(oddPlugin('odd', { plan: () => new Promise(() => undefined) }));
    const call = failing(subject, 'it did not settle in 120 s');
    await subject.clock.advance(119_000);
    expect(replacements(subject.events)).toEqual([]);
    await subject.clock.advance(1_000);
    await call;
    expect(subject.clock.waiting).toBe(0);
  });

  it('does not settle, but keeps emitting events: after 600 s', async () => {
    const busy: EnginePlugin = {
      ...safe,
      name: 'busy',
      create: (_options, host) => {
        const beat = (): void => {
          host.emit({ type: 'warning', engine: 'busy', message: 'still at it' });
          host.clock.schedule(beat, 60_000);
        };
        return {
          ...trimmer(),
          plan: () => {
            beat();
            return new Promise<never>(() => undefined);
          },
        };
      },
    };
    const subject = await trial(busy);
    const call = failing(subject, 'it did not settle in 600 s');
    await subject.clock.advance(599_000);
    expect(replacements(subject.events)).toEqual([]);
    await subject.clock.advance(1_000);
    await call;
  });

  it('drops the current task', async () => {
    const last = 15;
    await failing(
      await trial(editing({ kind: 'replace', groups: [last, last + 1], with: [], reasons: [] })),
      /invariant 3: the current task \(message 27\) is not in the output verbatim/,
    );
  });

  it("rewrites an earlier user message, so that it changes the user's words", async () => {
    await failing(
      await trial(editing({ kind: 'rewrite', at: 1, set: { content: 'Delete the files.' }, reasons: [] })),
      /edit 0 changes the user's words/,
    );
  });

  it('rewrites the system message', async () => {
    await failing(
      await trial(editing({ kind: 'rewrite', at: 0, set: { content: 'x' }, reasons: [] })),
      /invariant 4: system message 0 was rewritten/,
    );
  });

  it('returns edits that contradict each other, or do not fit the messages', async () => {
    const [one, other] = [
      { kind: 'replace', groups: [2, 6], with: [], reasons: [] },
      { kind: 'replace', groups: [4, 8], with: [], reasons: [] },
    ];
    await failing(await trial(editing(one, other)), /Edits 0 and 1 contradict each other/);
    await failing(await trial(editing({ ...one, groups: [2, 99] })), /it replaces groups 2 to 99 of 16\.$/);
    await failing(
      await trial(editing({ kind: 'rewrite', at: 99, set: { content: 'x' }, reasons: [] })),
      /it rewrites message 99 of 28\.$/,
    );
  });

  it.each([
    ['nothing', undefined, 'Engine "odd" returned no plan.'],
    ['no edits', { state: null }, 'A plan must be an array of edits.'],
    ['values that are not edits', { edits: [null, 'x'], state: null }, /its kind is neither "rewrite" nor "replace"/],
    ['a state that is not JSON', { edits: [], state: { write: () => undefined } }, /the state of the plan is not JSON/],
  ])('returns an invalid plan: %s', async (_name, plan, reason) => {
    await failing(await trial(planning(plan)), reason);
  });

  it('has no budget for a model', async () => {
    const odd = oddPlugin('odd', {
      budget: (model: { id: string; contextLength: number }) =>
        model.id === 'new' ? { ...budget(model), thresholdTokens: 'many' } : budget(model),
    });
    const { engine, events } = await trial(odd);
    await engine.updateModel({ id: 'old', contextLength: 100_000 });
    expect(replacements(events)).toEqual([]);
    await engine.updateModel({ id: 'new', contextLength: 200_000 });
    expect(replacements(events)).toMatchObject([
      { reason: expect.stringContaining('thresholdTokens is not a number') },
    ]);
    expect(engine.state.thresholdTokens).toBe(100_000);
    expect(engine.status().engine).toBe('safe');
  });
});

describe.each<[string, Record<string, unknown>, (engine: ContextEngine) => unknown]>([
  ['status', { status: broken }, (engine) => engine.status().details],
  ['session.start', { session: { start: broken } }, (engine) => engine.onSessionStart({ sessionId: 's' })],
  ['session.response', { session: { response: broken } }, (engine) => engine.onResponse(conversation(), null)],
])('an engine whose %s throws', (_name, odd, call) => {
  it('is replaced, and the call is answered by the fallback', async () => {
    const { engine, events } = await trial(oddPlugin('odd', odd));
    await engine.updateModel({ id: 'some', contextLength: 1_000 });
    const expected = await trial(safe, { plugins: [] });
    await expected.engine.updateModel({ id: 'some', contextLength: 1_000 });
    expect(await call(engine)).toEqual(await call(expected.engine));
    expect(replacements(events)).toMatchObject([{ engine: 'odd', fallback: 'safe', reason: 'broken' }]);
    const { report } = await engine.compress(conversation());
    expect(report).toMatchObject({ engine: 'safe', warnings: [expect.stringContaining('was replaced by "safe"')] });
  });
});

function broken(): never {
  throw new Error('broken');
}

describe('an engine stays in service', () => {
  it('when one of its tools fails or hangs', async () => {
    const tools = {
      schemas: [{ type: 'function', function: { name: 'look' } }],
      handle: (_name: string, { hang }: { hang: boolean }) => (hang ? new Promise(() => undefined) : broken()),
    };
    const { engine, events, clock } = await trial(oddPlugin('odd', { tools }));
    const context = { messages: conversation() };
    await expect(engine.handleToolCall('look', { hang: false }, context)).rejects.toThrow('broken');
    const hanging = expect(engine.handleToolCall('look', { hang: true }, context)).rejects.toThrow('did not settle');
    await clock.advance(120_000);
    await hanging;
    const cancelled = engine.handleToolCall('look', { hang: true }, { ...context, signal: AbortSignal.abort() });
    await expect(cancelled).rejects.toMatchObject({ code: 'ABORTED' });
    expect((await engine.compress(conversation())).report.engine).toBe('odd');
    expect(replacements(events)).toEqual([]);
  });

  it('when the caller makes a mistake', async () => {
    const { engine, events } = await trial(plugin('mine', trimmer));
    const model = { id: 'm', contextLength: 8_000, reserveOutputTokens: 'x' as never };
    await expect(engine.updateModel(model)).rejects.toThrow('reserveOutputTokens');
    await expect(engine.compress('all' as never)).rejects.toMatchObject({ code: 'MESSAGES_INVALID' });
    expect((await engine.compress(conversation())).report.engine).toBe('mine');
    expect(replacements(events)).toEqual([]);
  });

  it('when the caller cancels, which ends the call at once', async () => {
    let seen: AbortSignal | undefined;
    const odd = oddPlugin('odd', {
      plan: ({ asked }: { asked: { signal: AbortSignal } }) => {
        seen = asked.signal;
        return new Promise(() => undefined);
      },
    });
    const { engine, events, clock } = await trial(odd);
    const controller = new AbortController();
    const call = engine.compress(conversation(), { signal: controller.signal });
    await clock.advance(1_000);
    controller.abort();
    expect((await call).outcome).toBe('aborted');
    expect(seen?.aborted).toBe(true);
    expect(replacements(events)).toEqual([]);
    expect(clock.waiting).toBe(0);
  });

  it('while it waits for a summarizer longer than 120 s', async () => {
    let answer = (_: { text: string }): void => undefined;
    const summarizer: Summarizer = { id: 'slow', summarize: () => new Promise((resolve) => (answer = resolve)) };
    const patient: EnginePlugin = {
      ...safe,
      name: 'patient',
      create: (_options, host): EnginePlanner<Count> => ({
        ...trimmer(),
        async plan(input) {
          const { text } = await host.summarizer!.summarize({ prompt: 'p', budgetTokens: 1, material: {} as never });
          return trimmer(text).plan(input);
        },
      }),
    };
    const { engine, events, clock } = await trial(patient, { summarizer });
    const call = engine.compress(conversation());
    await clock.advance(300_000);
    answer({ text: 'A late summary.' });
    const { report, messages } = await call;
    expect(report.engine).toBe('patient');
    expect(JSON.stringify(messages)).toContain('A late summary.');
    expect(replacements(events)).toEqual([]);
  });
});

describe('an engine that cannot be created', () => {
  const creating = (create: () => unknown): EnginePlugin => ({ name: 'odd', apiVersion: 1, create: create as never });

  it.each([
    ['throws', broken, /^Engine "odd" cannot be created: broken$/],
    [
      'rejects',
      () => Promise.reject(new Error(`no access with ${secret}`)),
      /^Engine "odd" cannot be created: no access/,
    ],
    ['returns no planner', () => null, /^Engine "odd" cannot be created: its planner lacks "plan" or "budget"\.$/],
  ])('is an error for the caller, although there is a fallback: its create %s', async (_what, create, message) => {
    const error = await trial(creating(create)).catch((thrown: Error) => thrown);
    expect(error).toMatchObject({ message: expect.stringMatching(message) });
    expect(String((error as Error).stack) + String((error as Error).cause)).not.toContain(secret);
  });

  it('is an error if it is the fallback, too', async () => {
    const fine = plugin('fine', trimmer);
    const registry = createRegistry({ builtIns: [], plugins: [fine, creating(broken)], fallback: 'odd' });
    await expect(registry.create({ engine: 'fine' }, createEngineHost())).rejects.toMatchObject({
      code: 'ENGINE_FAILED',
      details: { engine: 'odd', reason: 'broken' },
    });
  });

  it('refuses its options itself with an error of its own', async () => {
    const { PalimpsestError } = await import('@palimpsest/core');
    const odd = creating(() => {
      throw new PalimpsestError('OPTION_INVALID', 'size is too small', { issues: [] });
    });
    await expect(trial(odd)).rejects.toMatchObject({ code: 'OPTION_INVALID', message: 'size is too small' });
  });
});

describe('without another engine, compress rejects, and the transcript stays unchanged', () => {
  it('when there is no fallback', async () => {
    const { engine, events } = await trial(refusing(), { fallback: false });
    const messages = conversation();
    const before = structuredClone(messages);
    const refusal = {
      code: 'ENGINE_FAILED',
      message: 'Engine "odd" failed, and the transcript is unchanged: no. Set context.fallback, or use another engine.',
      details: { engine: 'odd', reason: 'no' },
    };
    await expect(engine.compress(messages)).rejects.toMatchObject(refusal);
    await expect(engine.compress(messages)).rejects.toMatchObject(refusal);
    expect(messages).toEqual(before);
    expect(replacements(events)).toEqual([]);
  });

  it('when the fallback fails, too', async () => {
    const worse = oddPlugin('worse', { plan: () => Promise.reject(new Error('me too')) });
    const odd = refusing();
    const { engine, events } = await trial(odd, { plugins: [odd, worse], fallback: 'worse' });
    await expect(engine.compress(conversation())).rejects.toMatchObject({
      code: 'ENGINE_FAILED',
      message: 'Engine "worse" failed, and the transcript is unchanged: me too.',
    });
    expect(replacements(events)).toMatchObject([{ engine: 'odd', fallback: 'worse', reason: 'no' }]);
  });
});

describe('the engine that takes over', () => {
  const observed = (): { readonly plugin: EnginePlugin; readonly calls: string[] } => {
    const calls: string[] = [];
    const session: NonNullable<EnginePlanner<Count>['session']> = {
      start: async ({ sessionId, model }) => void calls.push(`start ${sessionId} ${model?.id}`) as undefined,
      end: async () => void calls.push('end'),
    };
    return { plugin: plugin('safe', () => ({ ...trimmer(), session })), calls };
  };

  it('knows the current model, the last usage and the session', async () => {
    const { plugin: fallback, calls } = observed();
    const { engine } = await trial(refusing(), { builtIns: [fallback] });
    await engine.onSessionStart({ sessionId: 'one', model: { id: 'old', contextLength: 50_000 } });
    await engine.updateModel({ id: 'new', contextLength: 20_000 });
    engine.updateFromResponse({ promptTokens: 1_234, completionTokens: 5 });
    expect(calls).toEqual([]);
    await engine.compress([{ role: 'user', content: 'Hello.' }]);
    expect(engine.status()).toMatchObject({
      engine: 'safe',
      model: 'new',
      lastPromptTokens: 1_234,
      thresholdTokens: 10_000,
    });
    expect(calls).toEqual(['start one new']);
    await engine.onSessionEnd([]);
    expect(calls).toEqual(['start one new', 'end']);
  });

  it('is started once for an engine that fails at its start', async () => {
    const { plugin: fallback, calls } = observed();
    const { engine } = await trial(oddPlugin('odd', { session: { start: broken } }), { builtIns: [fallback] });
    await engine.onSessionStart({ sessionId: 'one', model: { id: 'm', contextLength: 50_000 } });
    expect(calls).toEqual(['start one m']);
  });

  it('still serves after a restart with its state', async () => {
    const first = await trial(refusing());
    await first.engine.compress(conversation());
    const snapshot = JSON.parse(JSON.stringify(first.engine.snapshot())) as EngineSnapshot;
    const second = await trial(plugin('odd', trimmer));
    await second.engine.restore(snapshot);
    expect(second.engine.snapshot()).toEqual(snapshot);
    expect(replacements(second.events)).toEqual(replacements(first.events));
  });

  it('does not take over because a snapshot is from an engine that was configured before', async () => {
    const before = createRegistry({ builtIns: [safe] });
    const snapshot = (await before.create({ engine: 'safe' }, createEngineHost())).snapshot();
    const { engine, events } = await trial(plugin('fine', trimmer));
    await engine.restore(snapshot);
    expect(engine.status().engine).toBe('fine');
    expect(events).toMatchObject([{ type: 'snapshot-discarded', reason: 'It belongs to the engine "safe".' }]);
  });

  it('handles the calls that were made along with the failed one', async () => {
    const { engine, events } = await trial(refusing());
    const results = await Promise.all([engine.compress(conversation(8)), engine.compress(conversation(9))]);
    expect(results.map((result) => result.report.engine)).toEqual(['safe', 'safe']);
    expect(replacements(events)).toHaveLength(1);
  });
});

describe('secrets in what a plugin writes', () => {
  it('are masked in its handoffs, rewritten results, reasons, notes, events and tools', async () => {
    const talker: EnginePlugin = {
      name: 'talker',
      apiVersion: 1,
      create: (_options, host): EnginePlanner<Count> => ({
        ...trimmer(`The key is ${secret}.`),
        async plan(input) {
          host.emit({ type: 'plugin-event', engine: 'talker', name: 'used', data: { key: secret } });
          const { edits, state } = await trimmer(`The key is ${secret}.`).plan(input);
          const at = input.transcript.messages.findIndex(({ role }) => role === 'assistant') + 1;
          const rewrite = {
            kind: 'rewrite',
            at,
            set: { content: secret },
            reasons: [{ code: 'stub', note: secret }],
          } as const;
          return input.asked.focusTopic ? { edits: [rewrite], state, notes: { warnings: [secret] } } : { edits, state };
        },
        tools: {
          schemas: [{ type: 'function', function: { name: 'key' } }],
          handle: async () => JSON.stringify({ key: secret }),
        },
      }),
    };
    const { engine, events } = await trial(talker);
    const summarized = await engine.compress(conversation());
    const rewritten = await engine.compress(conversation(13), { focusTopic: 'keys' });
    const answer = await engine.handleToolCall('key', {}, { messages: [] });
    expect([summarized.outcome, rewritten.outcome]).toEqual(['compacted', 'compacted']);
    expect(JSON.stringify(summarized.messages)).toContain('The key is ');
    expect(JSON.parse(answer)).toEqual({ key: expect.any(String) });
    expect(JSON.stringify([summarized, rewritten, events, answer])).not.toContain(secret);
    expect(replacements(events)).toEqual([]);
  });
});

it('a planner may be an instance of a class', async () => {
  class Planner implements EnginePlanner<Count> {
    readonly #inner = trimmer();
    initial = this.#inner.initial;
    budget(model: Parameters<EnginePlanner<Count>['budget']>[0]) {
      return this.#inner.budget(model);
    }
    plan(input: Parameters<EnginePlanner<Count>['plan']>[0]) {
      return this.#inner.plan(input);
    }
    status() {
      return { ...this.#inner.initial };
    }
  }
  const { engine } = await trial(plugin('mine', () => new Planner()));
  const messages: readonly Message[] = conversation();
  expect((await engine.compress(messages)).report.engine).toBe('mine');
  expect(engine.status().details).toEqual({ passes: 0 });
});
