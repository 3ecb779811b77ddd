import { describe, expect, it } from 'vitest';
import { createEngine, type EnginePlanner, type PlanInput, plainReader } from '../src/authoring.ts';
import { type Budget, type ContextEvent, createHost, type Message, type ModelInfo } from '../src/index.ts';

const messages: Message[] = [
  { role: 'user', content: 'First question, which is long enough to be worth something.' },
  { role: 'assistant', content: 'First answer, which is long enough to be worth something.' },
  { role: 'user', content: 'Second question.' },
];

const budgetOf = ({ contextLength }: ModelInfo): Budget => ({
  contextLength,
  usableTokens: contextLength,
  thresholdTokens: contextLength / 2,
  tailTokens: 0,
  summaryTokens: 0,
});

interface Parts {
  readonly budget?: EnginePlanner<number>['budget'];
  readonly plan?: EnginePlanner<number>['plan'];
  readonly response?: NonNullable<EnginePlanner<number>['session']>['response'];
}

function engineOn({ budget = budgetOf, plan, response }: Parts = {}) {
  const inputs: PlanInput<number>[] = [];
  const events: ContextEvent[] = [];
  const planner: EnginePlanner<number> = {
    initial: 0,
    budget,
    async plan(input) {
      inputs.push(input);
      return plan ? plan(input) : { edits: [], state: input.state };
    },
    ...(response ? { session: { response } } : {}),
  };
  const tokens = { countText: (text: string) => text.length / 4, countMessage: () => 10 };
  const host = createHost({
    tokens,
    reader: plainReader,
    redact: (text) => text.replaceAll('hush', '***'),
    emit: (event) => events.push(event),
  });
  const identity = { name: 'test', stateVersion: 2 };
  return { engine: createEngine(planner, host, identity), inputs, events };
}

/** A promise that the test resolves. */
function later<T>() {
  let resolve!: (value: T) => void;
  let reject!: (error: Error) => void;
  const promise = new Promise<T>((yes, no) => {
    resolve = yes;
    reject = no;
  });
  return { promise, resolve, reject };
}

const model = (contextLength: number): ModelInfo => ({ id: `m${contextLength}`, contextLength });

describe('a budget that takes time', () => {
  it('delays a compress that was called after an unawaited updateModel', async () => {
    const slow = later<Budget>();
    const { engine, inputs } = engineOn({ budget: () => slow.promise });
    void engine.updateModel(model(1_000));
    const compacting = engine.compress(messages);
    await new Promise(setImmediate);
    expect(engine.state.thresholdTokens).toBe(0);
    expect(inputs).toEqual([]);
    slow.resolve(budgetOf(model(1_000)));
    await compacting;
    expect(inputs[0]!.budget.contextLength).toBe(1_000);
    expect(engine.explain(600).compact).toBe(true);
  });

  it('does not replace the budget of a newer request', async () => {
    const slow = later<Budget>();
    const { engine, inputs } = engineOn({
      budget: (one) => (one.contextLength === 1_000 ? slow.promise : budgetOf(one)),
    });
    const first = engine.updateModel(model(1_000));
    await engine.updateModel(model(2_000));
    slow.resolve(budgetOf(model(1_000)));
    await first;
    await engine.compress(messages);
    expect(engine.state.contextLength).toBe(2_000);
    expect(inputs[0]!.budget.contextLength).toBe(2_000);
  });

  it('is not delayed by a running pass, which continues with the budget it began with', async () => {
    const slow = later<void>();
    const { engine, inputs } = engineOn({
      plan: async ({ state }) => {
        await slow.promise;
        return { edits: [], state };
      },
    });
    await engine.updateModel(model(1_000));
    const pass = engine.compress(messages);
    await new Promise(setImmediate);
    await engine.updateModel(model(2_000));
    expect(engine.state.thresholdTokens).toBe(1_000);
    slow.resolve();
    await pass;
    await engine.compress([...messages, { role: 'assistant', content: 'More.' }]);
    expect(inputs.map(({ budget }) => budget.contextLength)).toEqual([1_000, 2_000]);
  });

  it('that fails rejects updateModel and the next compress, and is requested again', async () => {
    let fails = true;
    const { engine } = engineOn({
      budget: async (one) => {
        if (fails) throw new Error('no budget');
        return budgetOf(one);
      },
    });
    await expect(engine.updateModel(model(1_000))).rejects.toThrow('no budget');
    await expect(engine.compress(messages)).rejects.toThrow('no budget');
    fails = false;
    await engine.updateModel(model(1_000));
    expect((await engine.compress(messages)).outcome).toBe('unchanged');
  });

  it('that fails without a listener causes no unhandled rejection', async () => {
    const unhandled: unknown[] = [];
    const listen = (reason: unknown): void => void unhandled.push(reason);
    process.on('unhandledRejection', listen);
    try {
      const { engine } = engineOn({ budget: () => Promise.reject(new Error('no budget')) });
      engine.onSessionStart({ sessionId: 's', model: model(1_000) }).catch(() => undefined);
      await new Promise(setImmediate);
      await expect(engine.compress(messages)).rejects.toThrow('no budget');
    } finally {
      process.off('unhandledRejection', listen);
    }
    expect(unhandled).toEqual([]);
  });

  it('for a model of 128,000 tokens is used before the first updateModel, and requested once', async () => {
    const asked: string[] = [];
    const { engine, inputs } = engineOn({
      budget: async (one) => {
        asked.push(one.id);
        return budgetOf(one);
      },
    });
    await engine.compress(messages);
    await engine.compress(messages);
    expect(inputs.map(({ budget }) => budget.contextLength)).toEqual([128_000, 128_000]);
    expect(asked).toEqual(['unknown']);
  });
});

describe('a planner', () => {
  it('gets the unchanged source, and a request with masked texts', async () => {
    const { engine, inputs } = engineOn();
    const source: Message[] = [{ role: 'user', content: 'hush' }];
    const origins = messages.map(() => ({ kind: 'original', from: 0 }) as const);
    await engine.compress(messages, { source: { messages: source, origins }, focusTopic: 'hush' });
    await engine.compress(messages);
    expect(inputs[0]!.source?.transcript.messages).toBe(source);
    expect(inputs[0]!.source?.origins).toBe(origins);
    expect(inputs[0]!.asked).not.toHaveProperty('source');
    expect(inputs[0]!.asked.focusTopic).toBe('***');
    expect(inputs[1]!.source).toBeUndefined();
  });

  it('gets every turn once, if it has a turn hook', async () => {
    const turns: unknown[] = [];
    const { engine } = engineOn({ response: async (given, usage) => void turns.push([given, usage]) });
    await engine.onResponse(messages, null);
    expect(turns).toEqual([[messages, null]]);
    await engineOn().engine.onResponse(messages, { promptTokens: 1, completionTokens: 1 });
  });
});
