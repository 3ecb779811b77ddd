import type { ContextEngine, ContextEvent, Message, Summarizer } from '@palimpsest/core';
import type { EnginePlugin } from '@palimpsest/core/authoring';
import { describe, expect, it } from 'vitest';
import { createEngineHost, createRegistry, type RegistryOptions } from '../src/index.ts';
import type { QuarantineSnapshot } from '../src/quarantine/quarantine.ts';
import { conversation } from './conversation.ts';
import { budget, oddPlugin, plugin, trimmer } from './engines.ts';
import { StoppedClock } from './stopped-clock.ts';

const fallback = plugin('safe', () => trimmer('Written by the fallback.'));

interface Trial {
  readonly engine: ContextEngine;
  readonly events: ContextEvent[];
  readonly clock: StoppedClock;
}

async function trial(odd: EnginePlugin, options: RegistryOptions & { summarizer?: Summarizer } = {}): Promise<Trial> {
  const events: ContextEvent[] = [];
  const clock = new StoppedClock();
  const registry = createRegistry({
    builtIns: [fallback],
    plugins: [odd],
    fallback: 'safe',
    onEvent: (event) => events.push(event),
    ...options,
  });
  const host = createEngineHost({ clock, summarizer: options.summarizer });
  return { engine: await registry.create({ engine: odd.name }, host), events, clock };
}

function quarantined(events: readonly ContextEvent[]): ContextEvent[] {
  return events.filter((event) => event.type === 'engine-quarantined');
}

/** Compresses with a failing engine, and checks the expectations common to all failures. */
async function failing({ engine, events }: Trial, reason: string | RegExp): Promise<void> {
  const messages = conversation();
  const before = structuredClone(messages);
  const result = await engine.compress(messages);
  expect(messages).toEqual(before);
  expect(quarantined(events)).toEqual([
    {
      type: 'engine-quarantined',
      engine: engine.name,
      fallback: 'safe',
      reason: typeof reason === 'string' ? reason : expect.stringMatching(reason),
    },
  ]);
  expect(result.outcome).toBe('compressed');
  expect(result.report.engine).toBe('safe');
  expect(result.report.warnings[0]).toContain(`Engine "${engine.name}" was taken out of service: `);
  await engine.compress(conversation(20));
  expect(quarantined(events)).toHaveLength(1);
}

const planning = (plan: unknown): EnginePlugin => oddPlugin('odd', { plan: async () => plan });
const edit = (edits: readonly unknown[]): EnginePlugin => planning({ edits, state: { passes: 1 } });

describe('an engine is taken out of service, and the fallback serves the same call, when its planner', () => {
  it('throws', async () => {
    const odd = oddPlugin('odd', {
      plan: () => {
        throw new Error('out of ideas');
      },
    });
    await failing(await trial(odd), 'out of ideas');
  });

  it('rejects with an unreadable value that is not an error', async () => {
    const unreadable = {
      get message(): string {
        throw new Error('no');
      },
    };
    await failing(
      await trial(oddPlugin('odd', { plan: () => Promise.reject(unreadable) })),
      'it threw an unreadable value',
    );
    await failing(await trial(oddPlugin('odd', { plan: () => Promise.reject(null) })), 'it threw object');
  });

  it('throws an error with a secret, which is masked in the reason', async () => {
    const key = `sk-proj-${'aB3dE5fG7h'.repeat(5)}`;
    const subject = await trial(oddPlugin('odd', { plan: () => Promise.reject(new Error(`401 for ${key}`)) }));
    await failing(subject, /^401 for /);
    expect(JSON.stringify(subject.events)).not.toContain(key);
  });

  it('never settles: after 120 s without progress', async () => {
    const subject = await trial(oddPlugin('odd', { plan: () => new Promise(() => undefined) }));
    const call = failing(subject, 'it has made no progress for 120 s');
    await subject.clock.advance(119_000);
    expect(quarantined(subject.events)).toEqual([]);
    await subject.clock.advance(1_000);
    await call;
    expect(subject.clock.waiting).toBe(0);
  });

  it('never settles but keeps emitting events: after 600 s in total', async () => {
    const busy = {
      ...fallback,
      name: 'busy',
      create: (_options: unknown, host: Parameters<EnginePlugin['create']>[1]) => {
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
    const call = failing(subject, 'it has been running for 600 s');
    await subject.clock.advance(599_000);
    expect(quarantined(subject.events)).toEqual([]);
    await subject.clock.advance(1_000);
    await call;
  });

  it('writes to a message, whose original stays unchanged', async () => {
    const odd = oddPlugin('odd', {
      plan: async ({ transcript }: { transcript: { messages: { content: unknown }[] } }) => {
        transcript.messages[1]!.content = 'gone';
        return { edits: [], state: null };
      },
    });
    await failing(await trial(odd), /read only property 'content'/);
  });

  it('shortens the array of messages', async () => {
    const odd = oddPlugin('odd', {
      plan: async ({ transcript }: { transcript: { messages: unknown[] } }) => {
        transcript.messages.splice(1);
        return { edits: [], state: null };
      },
    });
    await failing(await trial(odd), /Cannot|not extensible|read only/);
  });

  it('writes to its own state, which can change only with a plan', async () => {
    const odd = oddPlugin('odd', {
      plan: async ({ state }: { state: { passes: number } }) => {
        state.passes = 7;
        return { edits: [], state };
      },
    });
    await failing(await trial(odd), /read only property 'passes'/);
  });

  it('drops the current request', async () => {
    const last = 15;
    await failing(
      await trial(edit([{ kind: 'replace', groups: [last, last + 1], with: [], reasons: [] }])),
      /invariant 3: the current request \(message 27\) is not in the output verbatim/,
    );
  });

  it('rewrites the system message', async () => {
    await failing(
      await trial(edit([{ kind: 'rewrite', at: 0, set: { content: 'x' }, reasons: [] }])),
      /invariant 4: system message 0 was rewritten/,
    );
  });

  it('returns overlapping edits', async () => {
    const edits = [
      { kind: 'replace', groups: [2, 6], with: [], reasons: [] },
      { kind: 'replace', groups: [4, 8], with: [], reasons: [] },
    ];
    await failing(await trial(edit(edits)), /Edits 0 and 1 contradict each other/);
  });

  it('returns edits out of range', async () => {
    await failing(
      await trial(edit([{ kind: 'replace', groups: [2, 99], with: [], reasons: [] }])),
      'Edit 0 of the plan cannot be applied: it replaces groups 2 to 99 of 16.',
    );
    await failing(
      await trial(edit([{ kind: 'rewrite', at: 99, set: { content: 'x' }, reasons: [] }])),
      'Edit 0 of the plan cannot be applied: it rewrites message 99 of 28.',
    );
  });

  it.each([
    ['nothing', undefined, 'Its plan is malformed: Invalid input: expected object, received undefined.'],
    ['a number', 42, 'Its plan is malformed: Invalid input: expected object, received number.'],
    ['no edits', { state: null }, /Its plan is malformed, at edits/],
    ['values that are not edits', { edits: [null, 'x'], state: null }, /its kind is neither "rewrite" nor "replace"/],
    ['an unknown outcome', { edits: [], state: null, outcome: 'great' }, /at outcome/],
    ['invalid notes', { edits: [], state: null, notes: { phases: 'all' } }, /at notes\.phases/],
    ['a function in an edit', { edits: [{ kind: 'rewrite', at: () => 1 }], state: null }, /is not JSON/],
  ])('returns an invalid plan: %s', async (_name, plan, reason) => {
    await failing(await trial(planning(plan)), reason);
  });

  it.each([
    ['a function', { write: () => undefined }, 'it contains a value of type function'],
    ['a date', new Date(0), 'it contains an instance of a class'],
    ['NaN', { share: Number.NaN }, 'it contains NaN'],
    ['a big integer', 1n, 'it contains a value of type bigint'],
    ['nothing', undefined, 'it contains a value of type undefined'],
  ])('returns a state that is not JSON: %s', async (_name, state, problem) => {
    await failing(await trial(planning({ edits: [], state })), `The state of the plan is not JSON: ${problem}.`);
  });

  it('returns a circular state', async () => {
    const state: Record<string, unknown> = {};
    state.self = state;
    await failing(
      await trial(planning({ edits: [], state })),
      'The state of the plan is not JSON: it has a circular reference.',
    );
  });

  it('returns a state that would expand to billions of values', async () => {
    let state: unknown = 'lol';
    for (let level = 0; level < 40; level++) state = [state, state];
    await failing(
      await trial(planning({ edits: [], state })),
      'The state of the plan is not JSON: it contains more than 1,000,000 values.',
    );
  });

  it('changes its plan after validation', async () => {
    let reads = 0;
    const plan = {
      state: null,
      get edits() {
        return reads++ === 0 ? [] : [{ kind: 'replace', groups: [0, 16], with: [], reasons: [] }];
      },
    };
    const { engine } = await trial(planning(plan));
    const messages = conversation();
    expect((await engine.compress(messages)).messages).toBe(messages);
  });

  it('has no budget for a model', async () => {
    const odd = oddPlugin('odd', {
      budget: (model: { id: string; contextLength: number }) =>
        model.id === 'new' ? { thresholdTokens: 'many' } : budget(model),
    });
    const { engine, events } = await trial(odd);
    await engine.updateModel({ id: 'old', contextLength: 100_000 });
    expect(quarantined(events)).toEqual([]);
    await engine.updateModel({ id: 'new', contextLength: 200_000 });
    expect(quarantined(events)).toHaveLength(1);
    expect(engine.state.thresholdTokens).toBe(100_000);
    expect(engine.status().engine).toBe('safe');
  });

  it('cannot be created', async () => {
    const odd: EnginePlugin = {
      name: 'odd',
      apiVersion: 2,
      create: () => {
        throw new TypeError('x is not a function');
      },
    };
    const { engine, events } = await trial(odd);
    expect(quarantined(events)).toMatchObject([{ engine: 'odd', fallback: 'safe', reason: 'x is not a function' }]);
    expect((await engine.compress(conversation())).report.engine).toBe('safe');
  });

  it('lacks required methods', async () => {
    const odd: EnginePlugin = { name: 'odd', apiVersion: 2, create: () => null as never };
    const { events } = await trial(odd);
    expect(quarantined(events)).toMatchObject([{ reason: 'its planner lacks "plan" or "budget"' }]);
  });
});

describe('when the fallback fails too', () => {
  it('the transcript is passed through unchanged, and the report says so', async () => {
    const bad = oddPlugin('worse', { plan: () => Promise.reject(new Error('me too')) });
    const odd = oddPlugin('odd', { plan: () => Promise.reject(new Error('no')) });
    const { engine, events } = await trial(odd, { plugins: [odd, bad], fallback: 'worse' });
    await engine.updateModel({ id: 'some', contextLength: 1_000 });
    const messages = conversation();
    const result = await engine.compress(messages);
    expect(result.messages).toBe(messages);
    expect(result.outcome).toBe('unchanged');
    expect(result.report.reason).toBe(
      'The transcript is passed through unchanged: engines "odd" and "worse" are out of service.',
    );
    expect(quarantined(events)).toMatchObject([
      { engine: 'odd', fallback: 'worse', reason: 'no' },
      { engine: 'worse', fallback: 'pass-through', reason: 'me too' },
    ]);
    expect(engine.shouldCompress(900)).toBe(false);
    expect(engine.explain(900).message).toContain('so nothing is compressed. Start a new session');
    expect(engine.hasContentToCompress(messages)).toBe(false);
  });

  it('compress rejects if the fallback is false, and the transcript stays unchanged', async () => {
    const odd = oddPlugin('odd', { plan: () => Promise.reject(new Error('no')) });
    const { engine, events } = await trial(odd, { fallback: false });
    const messages = conversation();
    const before = structuredClone(messages);
    const refusal = {
      code: 'ENGINE_FAILED',
      message:
        'Engine "odd" was taken out of service (no), and no fallback is configured. The transcript is unchanged. Set context.fallback, or use another engine.',
    };
    await expect(engine.compress(messages)).rejects.toMatchObject(refusal);
    await expect(engine.compress(messages)).rejects.toMatchObject(refusal);
    expect(messages).toEqual(before);
    expect(quarantined(events)).toMatchObject([{ fallback: 'none' }]);
  });
});

describe('an engine that threw', () => {
  /** Throws for a transcript that contains a certain word. */
  const picky = (name = 'picky') =>
    oddPlugin(name, {
      plan: async (...given: Parameters<ReturnType<typeof trimmer>['plan']>) => {
        if (JSON.stringify(given[0].transcript.messages).includes('poison'))
          throw new RangeError('Maximum call stack size exceeded');
        return trimmer('Written by the picky one.').plan(...given);
      },
    });
  const poisoned = (): Message[] => [{ role: 'user', content: 'poison' }, ...conversation().slice(2)];

  it('sits out one call and serves again, with the current model and usage', async () => {
    const { engine, events } = await trial(picky());
    await engine.updateModel({ id: 'old', contextLength: 50_000 });
    expect((await engine.compress(poisoned())).report.engine).toBe('safe');
    await engine.updateModel({ id: 'new', contextLength: 20_000 });
    engine.updateFromResponse({ promptTokens: 777, completionTokens: 1 });
    expect((await engine.compress(conversation())).report.engine).toBe('safe');
    const third = await engine.compress(conversation(13));
    expect(third.report).toMatchObject({ engine: 'picky', warnings: [] });
    expect(engine.status()).toMatchObject({ engine: 'picky', model: 'new' });
    expect(events.filter(({ type }) => type === 'engine-restored')).toEqual([
      { type: 'engine-restored', engine: 'picky' },
    ]);
    expect(engine.snapshot()).not.toHaveProperty('quarantined');
  });

  it('sits out more calls after each failure in a row', async () => {
    const { engine, events } = await trial(picky());
    for (let call = 0; call < 12; call++) await engine.compress(poisoned());
    // Calls 0, 2, 5, 10: one, two, four, eight calls of rest.
    expect(quarantined(events)).toHaveLength(4);
  });

  it('is tried again after a restart, unless it violated the contract', async () => {
    const first = await trial(picky());
    await first.engine.compress(poisoned());
    const second = await trial(picky());
    await second.engine.restore(JSON.parse(JSON.stringify(first.engine.snapshot())));
    expect((await second.engine.compress(conversation())).report.engine).toBe('safe');
    expect((await second.engine.compress(conversation(13))).report.engine).toBe('picky');

    const breaking = await trial(planning({ edits: 1 }));
    await breaking.engine.compress(conversation());
    const after = await trial(planning({ edits: [], state: { passes: 0 } }));
    await after.engine.restore(JSON.parse(JSON.stringify(breaking.engine.snapshot())));
    for (let call = 0; call < 5; call++)
      expect((await after.engine.compress(conversation(8 + call))).report.engine).toBe('safe');
  });

  it('stays in service if it is built in, and the fallback serves that one call', async () => {
    const told: ContextEvent[] = [];
    const registry = createRegistry({
      builtIns: [picky('house'), fallback],
      fallback: 'safe',
      onEvent: (event) => told.push(event),
    });
    const house = await registry.create({ engine: 'house' }, createEngineHost());
    const result = await house.compress(poisoned());
    expect(result.report).toMatchObject({
      engine: 'safe',
      warnings: ['Engine "house" failed on this transcript: Maximum call stack size exceeded'],
    });
    expect(told).toContainEqual({
      type: 'engine-method-failed',
      engine: 'house',
      method: 'compress',
      reason: 'Maximum call stack size exceeded',
    });
    expect((await house.compress(conversation())).report.engine).toBe('house');
    expect(quarantined(told)).toEqual([]);
  });

  it('stays in service even without a fallback: the transcript is passed through once, or the call rejects', async () => {
    const messages = poisoned();
    const alone = await createRegistry({ builtIns: [picky('house')] }).create({ engine: 'house' }, createEngineHost());
    const result = await alone.compress(messages);
    expect(result.messages).toBe(messages);
    expect(result.report.reason).toBe('The transcript is passed through unchanged: engine "house" failed on it.');
    expect((await alone.compress(conversation())).report.engine).toBe('house');

    const strict = await createRegistry({ builtIns: [picky('house')] }).create(
      { engine: 'house', fallback: false },
      createEngineHost(),
    );
    await expect(strict.compress(messages)).rejects.toMatchObject({
      code: 'ENGINE_FAILED',
      message: expect.stringContaining('Engine "house" failed on this transcript (Maximum call stack'),
    });
    expect((await strict.compress(conversation())).report.engine).toBe('house');
  });

  it('stays in service after a timeout if it is built in, and its later events are emitted', async () => {
    let hang = true;
    const house: EnginePlugin = {
      name: 'house',
      apiVersion: 2,
      create: (_options, host) => ({
        ...trimmer(),
        plan: (input) => {
          if (hang) return new Promise(() => undefined);
          host.emit({ type: 'warning', engine: 'house', message: 'heard' });
          return trimmer().plan(input as never);
        },
      }),
    };
    const clock = new StoppedClock();
    const events: ContextEvent[] = [];
    const registry = createRegistry({
      builtIns: [house, fallback],
      fallback: 'safe',
      onEvent: (event) => events.push(event),
    });
    const engine = await registry.create({ engine: 'house' }, createEngineHost({ clock }));
    const call = engine.compress(conversation());
    await clock.advance(120_000);
    expect((await call).report.engine).toBe('safe');
    hang = false;
    expect((await engine.compress(conversation())).report.engine).toBe('house');
    expect(events).toContainEqual({ type: 'warning', engine: 'house', message: 'heard' });
    expect(quarantined(events)).toEqual([]);
  });
});

describe('an engine stays in service after', () => {
  it('a call that was cancelled, which ends immediately even if the planner ignores the signal', async () => {
    const { engine, events } = await trial(oddPlugin('odd', { plan: () => new Promise(() => undefined) }));
    const controller = new AbortController();
    const messages = conversation();
    const call = engine.compress(messages, { signal: controller.signal });
    await new Promise((resolve) => setImmediate(resolve));
    controller.abort();
    const result = await call;
    expect(result.outcome).toBe('aborted');
    expect(result.messages).toBe(messages);
    expect(quarantined(events)).toEqual([]);
  });

  it('invalid messages', async () => {
    const { engine, events } = await trial(plugin('fine', trimmer));
    await expect(engine.compress([{} as Message])).rejects.toThrow(/Message 0 is not a message/);
    expect(quarantined(events)).toEqual([]);
  });

  it('a slow summarizer call, during which only the total deadline applies', async () => {
    let answerIt = (_text: string): void => undefined;
    const summarizer: Summarizer = {
      id: 'slow',
      summarize: () =>
        new Promise((resolve) => {
          answerIt = (text) => resolve({ text });
        }),
    };
    const summarizing: EnginePlugin = {
      name: 'summarizing',
      apiVersion: 2,
      create: (_options, host) => ({
        ...trimmer(),
        plan: async (input) => {
          const material = {
            messages: [],
            previousSummary: null,
            template: { name: 't', sections: [] },
            focusTopic: null,
          };
          const { text } = await host.summarizer!.summarize({ prompt: 'p', budgetTokens: 10, material });
          return trimmer(text).plan(input as never) as never;
        },
      }),
    };
    const { engine, events, clock } = await trial(summarizing, { summarizer });
    const call = engine.compress(conversation());
    await clock.advance(400_000);
    answerIt('Written slowly.');
    await clock.advance(0);
    const result = await call;
    expect(JSON.stringify(result.messages)).toContain('Written slowly.');
    expect(quarantined(events)).toEqual([]);
  });
});

describe('a summarizer that never settles', () => {
  const material = { messages: [], previousSummary: null, template: { name: 't', sections: [] }, focusTopic: null };

  /** Calls the summarizer or hangs, as the focus topic demands. */
  const asking = (listened: string[], wait = true): EnginePlugin => ({
    name: 'asking',
    apiVersion: 2,
    create: (_options, host) => ({
      ...trimmer(),
      plan: async (input) => {
        const { request } = input;
        const signal = request.signal!;
        const add = signal.addEventListener.bind(signal);
        const remove = signal.removeEventListener.bind(signal);
        signal.addEventListener = ((type: string, listener: () => void) => {
          listened.push('add');
          add(type, listener);
        }) as never;
        signal.removeEventListener = ((type: string, listener: () => void) => {
          listened.push('remove');
          remove(type, listener);
        }) as never;
        if (request.focusTopic === 'stuck') return new Promise<never>(() => undefined);
        if (request.focusTopic === 'ask') {
          const call = host.summarizer!.summarize({ prompt: 'p', budgetTokens: 1, material, signal });
          if (wait) await call;
          else call.catch(() => undefined);
        }
        return trimmer().plan(input as never);
      },
    }),
  });
  const never: Summarizer = { id: 'never', summarize: () => new Promise(() => undefined) };

  it('is abandoned when the caller cancels: no listener remains, and the stall deadline applies again', async () => {
    const listened: string[] = [];
    const { engine, events, clock } = await trial(asking(listened), { summarizer: never });
    const controller = new AbortController();
    const cancelled = engine.compress(conversation(), { focusTopic: 'ask', signal: controller.signal });
    await clock.advance(10_000);
    controller.abort();
    expect((await cancelled).outcome).toBe('aborted');
    await clock.advance(0);
    expect(listened).toEqual(['add', 'remove']);
    expect(clock.waiting).toBe(0);
    const stuck = engine.compress(conversation(), { focusTopic: 'stuck' });
    await clock.advance(120_000);
    expect((await stuck).report.engine).toBe('safe');
    expect(quarantined(events)).toMatchObject([{ reason: 'it has made no progress for 120 s' }]);
  });

  it('does not delay the deadline of a later call once abandoned, and times out itself', async () => {
    const listened: string[] = [];
    const { engine, events, clock } = await trial(asking(listened, false), { summarizer: never });
    expect((await engine.compress(conversation(), { focusTopic: 'ask' })).report.engine).toBe('asking');
    const stuck = engine.compress(conversation(14), { focusTopic: 'stuck' });
    await clock.advance(120_000);
    expect((await stuck).report.engine).toBe('safe');
    expect(quarantined(events)).toHaveLength(1);
    await clock.advance(900_000);
    expect(clock.waiting).toBe(0);
    expect(listened).toEqual(['add', 'remove']);
  });
});

describe('an optional method that fails is reported once and skipped:', () => {
  const broken = (): never => {
    throw new Error('broken');
  };

  async function reported(odd: Record<string, unknown>, method: string, use: (engine: ContextEngine) => unknown) {
    const { engine, events } = await trial(oddPlugin('odd', odd));
    await engine.updateModel({ id: 'some', contextLength: 1_000 });
    await use(engine);
    const answer = await use(engine);
    expect(events.filter((event) => event.type === 'engine-method-failed')).toEqual([
      { type: 'engine-method-failed', engine: 'odd', method, reason: 'broken' },
    ]);
    expect(quarantined(events)).toEqual([]);
    expect((await engine.compress(conversation())).report.engine).toBe('odd');
    return answer;
  }

  it('decide: the trigger of core decides', async () => {
    const use = (engine: ContextEngine) => [engine.shouldCompress(400), engine.shouldCompress(600)];
    expect(await reported({ decide: broken }, 'decide', use)).toEqual([false, true]);
  });

  it('hasContentToCompress: true is assumed', async () => {
    const use = (engine: ContextEngine) => engine.hasContentToCompress(conversation());
    expect(await reported({ hasContentToCompress: broken }, 'hasContentToCompress', use)).toBe(true);
  });

  it('status: the engine adds nothing', async () => {
    expect(await reported({ status: broken }, 'status', (engine) => engine.status().details)).toEqual({});
  });

  it('the start of a session', async () => {
    const use = (engine: ContextEngine) => engine.onSessionStart({ sessionId: 's' });
    await reported({ session: { start: broken } }, 'session.start', use);
  });

  it('the end of a session', async () => {
    const use = (engine: ContextEngine) => engine.onSessionEnd(conversation());
    await reported({ session: { end: () => Promise.reject(new Error('broken')) } }, 'session.end', use);
  });

  it('a tool: the error is returned to the agent', async () => {
    const tools = { schemas: [{ type: 'function', function: { name: 'recall' } }], handle: broken };
    const use = (engine: ContextEngine) => engine.handleToolCall('recall', {}, { messages: conversation() });
    expect(await reported({ tools }, 'tools.handle(recall)', use)).toBe(
      '{"error":"Context engine tool recall failed: broken"}',
    );
  });

  it('an unreadable list of tools: there are no tools', async () => {
    const tools = {
      get schemas() {
        return broken();
      },
      handle: broken,
    };
    expect(await reported({ tools }, 'tools', (engine) => engine.toolSchemas())).toEqual([]);
  });

  it('a migration: the state starts empty', async () => {
    const { engine, events } = await trial({ ...oddPlugin('odd', {}), stateVersion: 2, migrate: broken });
    await engine.restore({ ...engine.snapshot(), version: 1 });
    expect(engine.snapshot().state.planner).toEqual({ passes: 0 });
    expect(events).toMatchObject([{ type: 'engine-method-failed', method: 'migrate', reason: 'broken' }]);
  });

  it('an invalid decision: the trigger of core decides', async () => {
    const { engine, events } = await trial(oddPlugin('odd', { decide: () => 'yes' }));
    await engine.updateModel({ id: 'some', contextLength: 1_000 });
    expect(engine.shouldCompress(600)).toBe(true);
    expect(events).toMatchObject([
      {
        method: 'decide',
        reason: 'Its decision is malformed: Invalid input: expected object, received string.',
      },
    ]);
  });

  it('a session hook that hangs: it times out after 120 s', async () => {
    const { engine, events, clock } = await trial(
      oddPlugin('odd', { session: { start: () => new Promise(() => undefined) } }),
    );
    const started = engine.onSessionStart({ sessionId: 's' });
    await clock.advance(120_000);
    await started;
    expect(events).toMatchObject([{ method: 'session.start', reason: 'it has made no progress for 120 s' }]);
  });
});

describe('the turns of a session', () => {
  const usage = { promptTokens: 1, completionTokens: 1 };

  it('reach the engine that serves, each once, as frozen copies', async () => {
    const turns: [messages: readonly Message[], usage: unknown][] = [];
    const ingesting = oddPlugin('ingesting', {
      session: { turn: async (...given: [readonly Message[], unknown]) => void turns.push(given) },
    });
    const { engine } = await trial(ingesting);
    const messages = conversation();
    await engine.onTurn(messages, usage);
    await engine.onTurn(messages.slice(0, 2), null);
    expect(turns).toEqual([
      [messages, usage],
      [messages.slice(0, 2), null],
    ]);
    expect(turns[0]![0][0]).not.toBe(messages[0]);
    expect(Object.isFrozen(turns[0]![0])).toBe(true);
  });

  it('are reported once and then left out when the engine does not finish them, and delay nothing else', async () => {
    let calls = 0;
    const stuck = oddPlugin('stuck', {
      session: {
        turn: () => {
          calls++;
          return new Promise(() => undefined);
        },
      },
    });
    const { engine, events, clock } = await trial(stuck);
    const first = engine.onTurn(conversation(), usage);
    await engine.updateModel({ id: 'some', contextLength: 9_000 });
    expect(engine.state.contextLength).toBe(9_000);
    expect((await engine.compress(conversation())).report.engine).toBe('stuck');
    await clock.advance(120_000);
    await first;
    await engine.onTurn(conversation(), usage);
    expect(calls).toBe(1);
    expect(events.filter(({ type }) => type === 'engine-method-failed')).toMatchObject([{ method: 'session.turn' }]);
    expect(quarantined(events)).toEqual([]);
  });
});

describe('an engine whose session hook timed out', () => {
  it('stays in service: its events are emitted, and its summarizer answers', async () => {
    const summarizer: Summarizer = { id: 'ours', summarize: async () => ({ text: 'A summary.' }) };
    const late: EnginePlugin = {
      name: 'late',
      apiVersion: 2,
      create: (_options, host) => ({
        ...trimmer(),
        session: { start: () => new Promise(() => undefined) },
        plan: async (input) => {
          const material = {
            messages: [],
            previousSummary: null,
            template: { name: 't', sections: [] },
            focusTopic: null,
          };
          const { text } = await host.summarizer!.summarize({ prompt: 'p', budgetTokens: 1, material });
          host.emit({ type: 'warning', engine: 'late', message: text });
          return trimmer(text).plan(input as never);
        },
      }),
    };
    const { engine, events, clock } = await trial(late, { summarizer });
    const started = engine.onSessionStart({ sessionId: 's' });
    await clock.advance(120_000);
    await started;
    expect((await engine.compress(conversation())).report.engine).toBe('late');
    expect(events).toContainEqual({ type: 'warning', engine: 'late', message: 'A summary.' });
    expect(quarantined(events)).toEqual([]);
  });
});

describe('the engine that takes over', () => {
  const odd = oddPlugin('odd', { plan: () => Promise.reject(new Error('no')) });

  it('knows the model, the last usage and the session', async () => {
    const sessions: string[] = [];
    const safe = plugin('safe', () => ({
      ...trimmer(),
      session: {
        async start({ sessionId }) {
          sessions.push(sessionId);
          return undefined;
        },
      },
    }));
    const { engine } = await trial(odd, { builtIns: [safe] });
    await engine.onSessionStart({ sessionId: 'one', model: { id: 'some', contextLength: 50_000 } });
    engine.updateFromResponse({ promptTokens: 1_234, completionTokens: 5 });
    await engine.compress([{ role: 'user', content: 'hello' }]);
    expect(engine.status()).toMatchObject({
      engine: 'safe',
      model: 'some',
      lastPromptTokens: 1_234,
      thresholdTokens: 25_000,
    });
    expect(sessions).toEqual(['one']);
  });

  it('gets the current model, not the one from the start of the session', async () => {
    const { engine } = await trial(odd);
    await engine.onSessionStart({ sessionId: 'one', model: { id: 'old', contextLength: 50_000 } });
    await engine.updateModel({ id: 'new', contextLength: 20_000 });
    await engine.compress(conversation());
    await engine.compress(conversation(20));
    expect(engine.status()).toMatchObject({ engine: 'safe', model: 'new', thresholdTokens: 10_000 });
  });

  it('still serves after a restart with its state, and reports that again', async () => {
    const first = await trial(odd);
    await first.engine.compress(conversation());
    const snapshot = JSON.parse(JSON.stringify(first.engine.snapshot())) as QuarantineSnapshot;
    expect(snapshot.quarantined).toEqual([{ engine: 'odd', reason: 'no' }]);

    const second = await trial(odd);
    await second.engine.restore(snapshot);
    expect(second.engine.snapshot()).toEqual(snapshot);
    expect(second.events).toMatchObject([
      { type: 'engine-quarantined', engine: 'odd', fallback: 'safe', reason: 'no' },
    ]);
  });

  it('does not take over because a snapshot is from a previously configured engine', async () => {
    const before = createRegistry({ builtIns: [fallback] });
    const snapshot = (await before.create({ engine: 'safe' }, createEngineHost())).snapshot();
    const { engine, events } = await trial(plugin('fine', trimmer));
    await engine.restore(snapshot);
    expect(engine.status().engine).toBe('fine');
    expect(events).toMatchObject([{ type: 'snapshot-discarded', reason: 'It belongs to the engine "safe".' }]);
  });

  it('serves the calls that were queued after the failed one', async () => {
    const { engine, events } = await trial(odd);
    const results = await Promise.all([engine.compress(conversation(8)), engine.compress(conversation(9))]);
    expect(results.map((result) => result.report.engine)).toEqual(['safe', 'safe']);
    expect(quarantined(events)).toHaveLength(1);
  });
});

describe('an engine that continues after its deadline', () => {
  it('emits no more events, and its pending and later summarizer calls are rejected', async () => {
    const signals: (AbortSignal | undefined)[] = [];
    const summarizer: Summarizer = {
      id: 'costly',
      summarize: ({ signal }) => {
        signals.push(signal);
        return new Promise((_, reject) => signal!.addEventListener('abort', () => reject(new Error('cancelled'))));
      },
    };
    const refused: unknown[] = [];
    const stubborn: EnginePlugin = {
      name: 'stubborn',
      apiVersion: 2,
      create: (_options, host) => ({
        ...trimmer(),
        plan: async () => {
          for (let call = 0; call < 3; call++) {
            const material = {
              messages: [],
              previousSummary: null,
              template: { name: 't', sections: [] },
              focusTopic: null,
            };
            await host
              .summarizer!.summarize({ prompt: 'p', budgetTokens: 1, material })
              .catch((error) => refused.push(error));
            host.emit({ type: 'warning', engine: 'stubborn', message: 'not giving up' });
          }
          return new Promise(() => undefined);
        },
      }),
    };
    const { engine, events, clock } = await trial(stubborn, { summarizer });
    const call = engine.compress(conversation());
    await clock.advance(600_000);
    expect((await call).report.engine).toBe('safe');
    expect(signals.map((signal) => signal?.aborted)).toEqual([true]);
    expect(refused).toHaveLength(3);
    expect(events.filter(({ type }) => type === 'warning')).toEqual([]);
  });
});

describe('an event of a foreign engine', () => {
  const saying = (...events: unknown[]): EnginePlugin => ({
    name: 'talker',
    apiVersion: 2,
    create: (_options, host) => ({
      ...trimmer(),
      plan: async (input) => {
        for (const event of events) host.emit(event as ContextEvent);
        return trimmer().plan(input as never);
      },
    }),
  });

  it('is masked, and the name of the engine is added', async () => {
    const key = `sk-proj-${'aB3dE5fG7h'.repeat(5)}`;
    const { engine, events } = await trial(saying({ type: 'warning', engine: 'compressor', message: `used ${key}` }));
    await engine.compress(conversation());
    const [warning] = events.filter(({ type }) => type === 'warning');
    expect(warning).toMatchObject({ engine: 'talker', message: expect.stringMatching(/^used /) });
    expect(JSON.stringify(warning)).not.toContain(key);
  });

  it('is dropped if it is invalid or has a reserved name', async () => {
    const circular: Record<string, unknown> = { type: 'warning' };
    circular.self = circular;
    const quarantineOfAnother = { type: 'engine-quarantined', engine: 'safe', fallback: 'x', reason: 'y' };
    const { engine, events } = await trial(saying(null, 'text', {}, circular, new Map(), quarantineOfAnother));
    expect((await engine.compress(conversation())).report.engine).toBe('talker');
    expect(events.map(({ type }) => type)).toEqual(['compress-start', 'compress-end']);
  });
});

describe('a foreign engine', () => {
  it('gets copies only: no object of the caller, the host or its events', async () => {
    const seen: unknown[] = [];
    const odd: EnginePlugin = {
      name: 'curious',
      apiVersion: 2,
      create: (_options, host) => ({
        ...trimmer(),
        plan: async ({ transcript }) => {
          seen.push(...transcript.messages, transcript.messages, host, host.tokens, host.clock);
          return { edits: [], state: { passes: 0 } };
        },
      }),
    };
    const { engine } = await trial(odd);
    const messages = conversation();
    await engine.compress(messages);
    expect(seen.length).toBe(messages.length + 4);
    expect(seen.every((object) => Object.isFrozen(object))).toBe(true);
    for (const message of messages) expect(seen).not.toContain(message);
    expect(Object.isFrozen(messages[0])).toBe(false);
  });

  it('gets the number of weak passes by the figures of its own trigger', async () => {
    const inputs: { readonly strikes: number }[] = [];
    const weak = oddPlugin('weak', {
      trigger: { maximumStrikes: 5 },
      plan: async (input: { strikes: number; state: unknown }) => {
        inputs.push(input);
        return { edits: [], state: input.state };
      },
    });
    const { engine } = await trial(weak);
    await engine.updateModel({ id: 'some', contextLength: 2_000 });
    for (let exchanges = 30; exchanges < 33; exchanges++) await engine.compress(conversation(exchanges));
    expect(inputs.map(({ strikes }) => strikes)).toEqual([0, 1, 2]);
    expect(inputs.every(Object.isFrozen)).toBe(true);
    expect(engine.explain(1_900).compress).toBe(true);
  });

  it('has invalid trigger figures reported, and gets the defaults', async () => {
    const { engine, events } = await trial(oddPlugin('odd', { trigger: { maximumStrikes: 'many' } }));
    expect(events).toMatchObject([{ type: 'engine-method-failed', method: 'trigger' }]);
    expect((await engine.compress(conversation())).report.engine).toBe('odd');
  });

  it('returns notes, which are masked in the report', async () => {
    const key = `sk-proj-${'aB3dE5fG7h'.repeat(5)}`;
    const failure = { class: 'access', message: `refused ${key}`, cooldownMs: [1_000, 2_000], summarizer: 'mini' };
    const noting = oddPlugin('noting', {
      plan: async (...given: Parameters<ReturnType<typeof trimmer>['plan']>) => ({
        ...(await trimmer().plan(...given)),
        notes: { reason: 'because', auxiliaryFailure: failure, warnings: ['w'], modelCalls: 1, unknown: 1 },
      }),
    });
    const { report } = await (await trial(noting)).engine.compress(conversation());
    expect(report).toMatchObject({ reason: 'because', warnings: ['w'], modelCalls: 1 });
    expect(report.auxiliaryFailure).toMatchObject({ class: 'access', cooldownMs: [1_000, 2_000], summarizer: 'mini' });
    expect(JSON.stringify(report)).not.toContain(key);
  });

  it('returns edits that the caller can extend', async () => {
    const { engine } = await trial(plugin('fine', trimmer));
    const result = await engine.compress(conversation());
    const inserted = result.messages.find((_, index) => result.provenance.output[index]!.kind === 'inserted')!;
    expect(Object.isFrozen(inserted)).toBe(false);
  });

  it('gets the messages themselves if it is trusted', async () => {
    let seen: readonly Message[] = [];
    const house = plugin('house', () => ({
      ...trimmer(),
      plan: async ({ transcript, state }) => {
        seen = transcript.messages;
        return { edits: [], state };
      },
    }));
    const engine = await createRegistry({ builtIns: [house] }).create({ engine: 'house' }, createEngineHost());
    const messages = conversation();
    await engine.compress(messages);
    expect(seen).toBe(messages);
  });
});

it('reports a model with invalid figures to the caller and keeps the engine in service', async () => {
  const { engine, events } = await trial(plugin('mine', () => trimmer('Written by mine.')));
  const model = { id: 'm', contextLength: 8_000 };
  await engine.updateModel(model);
  await expect(engine.updateModel({ ...model, reserveOutputTokens: 'x' as never })).rejects.toThrow(
    'reserveOutputTokens',
  );
  const result = await engine.compress(conversation());
  expect(result.report.engine).toBe('mine');
  expect(quarantined(events)).toEqual([]);
});
