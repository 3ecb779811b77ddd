import { describe, expect, it } from 'vitest';
import { createEngine, type EnginePlanner, plainReader } from '../src/authoring.ts';
import { type ContextEvent, createHost, type EngineSnapshot, type Message, type TokenCounter } from '../src/index.ts';

interface State {
  readonly notes: readonly string[];
  readonly passes: number;
  readonly last: string | null;
}

/** Drops the first exchange and reads its state. */
const planner: EnginePlanner<State> = {
  initial: { notes: [], passes: 0, last: null },
  budget: () => ({ contextLength: 20, usableTokens: 20, thresholdTokens: 10, tailTokens: 10, summaryTokens: 10 }),
  async plan({ state }) {
    const last = state.last?.toUpperCase() ?? null;
    return {
      edits: [{ kind: 'replace', groups: [0, 2], with: [], reasons: [{ code: 'drop' }] }],
      state: { notes: [...state.notes, 'one more'], passes: state.passes + 1, last },
    };
  },
  status: ({ passes }) => ({ passes }),
};

const messages: Message[] = [
  { role: 'user', content: 'First question, which is long enough to be worth something.' },
  { role: 'assistant', content: 'First answer, which is long enough to be worth something.' },
  { role: 'user', content: 'Second question.' },
];

const tokens: TokenCounter = {
  countText: (text) => text.length / 4,
  countMessage: (message) => JSON.stringify(message).length / 4,
};

function engineWith(change: (planner: unknown) => unknown) {
  const events: ContextEvent[] = [];
  const host = createHost({
    tokens,
    redact: (text) => text,
    reader: plainReader,
    emit: (event) => void events.push(event),
  });
  const make = () => createEngine(planner, host, { name: 'test' });
  const snapshot = make().snapshot();
  const engine = make();
  void engine.restore({
    ...snapshot,
    state: { ...snapshot.state, planner: change(snapshot.state.planner) },
  } as EngineSnapshot);
  return { engine, events };
}

describe('a snapshot whose planner state is damaged', () => {
  it.each<[string, unknown]>([
    ['null', null],
    ['that is a number', 5],
    ['that is a list', []],
    ['without a field', { notes: [], last: null }],
    ['with a field of another type', { notes: 'x', passes: 1, last: null }],
    ['with a string as counter', { notes: [], passes: '1', last: null }],
  ])('starts clean and emits an event, with a state %s', async (_, damaged) => {
    const { engine, events } = engineWith(() => damaged);
    expect(engine.status().details).toHaveProperty('passes');
    const { outcome } = await engine.compress(messages, { force: true });
    expect(outcome).toBe('compacted');
    expect(engine.snapshot().state.planner).toEqual({ notes: ['one more'], passes: 1, last: null });
    expect(events.filter(({ type }) => type === 'snapshot-discarded').length).toBe(1);
  });

  it('is used if it is undamaged', async () => {
    const { engine, events } = engineWith(() => ({ notes: ['a'], passes: 4, last: 'b' }));
    await engine.compress(messages, { force: true });
    expect(engine.snapshot().state.planner).toEqual({ notes: ['a', 'one more'], passes: 5, last: 'B' });
    expect(events.filter(({ type }) => type === 'snapshot-discarded')).toEqual([]);
  });
});
