import { describe, expect, it } from 'vitest';
import { createEngine, Draft, type Plan, type PlanInput, placeHandoff, plainReader } from '../src/authoring.ts';
import { createHost, type Message, type Origin } from '../src/index.ts';

/** Eight turns with ten tokens per message, the last one open. */
const history: Message[] = Array.from({ length: 15 }, (_, at) => ({
  role: at % 2 === 0 ? 'user' : 'assistant',
  content: `message ${at}`,
}));

type Work = (input: PlanInput<number>) => Omit<Plan<number>, 'state'>;

function engineOn(work: Work) {
  const host = createHost({
    tokens: { countText: (text) => text.length, countMessage: () => 10 },
    reader: plainReader,
    redact: (text) => text,
  });
  const budget = () => ({ contextLength: 0, usableTokens: 0, thresholdTokens: 0, tailTokens: 0, summaryTokens: 0 });
  const planner = { initial: 0, budget, plan: async (input: PlanInput<number>) => ({ ...work(input), state: 1 }) };
  return createEngine(planner, host, { name: 'test' });
}

/** Summarizes the groups `[0, to)` of the transcript, or of its source. */
const summary =
  (to: number, basis: 'transcript' | 'source'): Work =>
  ({ transcript, source }) => {
    const draft = new Draft(basis === 'source' ? source!.transcript : transcript);
    placeHandoff(draft, [0, to], 'Gone.', { reason: { code: 'summarize' } });
    return { edits: draft.edits(), basis };
  };

/** A history of eleven messages with the first four summarized. */
async function projected(): Promise<{ readonly messages: readonly Message[]; readonly origins: readonly Origin[] }> {
  const { messages, provenance } = await engineOn(summary(4, 'transcript')).compress(history.slice(0, 11));
  const appended = history.slice(11);
  const origins = appended.map((_, at): Origin => ({ kind: 'original', from: 11 + at }));
  return { messages: [...messages, ...appended] as Message[], origins: [...provenance.output, ...origins] };
}

describe('a plan over the source', () => {
  it('is applied to the source, and reported relative to it', async () => {
    const { messages, origins } = await projected();
    const source = { messages: history, origins };
    const result = await engineOn(summary(10, 'source')).compress(messages, { source });
    expect(result.basis).toBe('source');
    expect(result.outcome).toBe('compacted');
    expect(result.messages.length).toBe(5);
    expect(result.messages.slice(1)).toEqual(history.slice(11));
    result.messages.slice(1).forEach((message, at) => expect(message).toBe(history[at + 11]));
    expect(result.provenance.source).toHaveLength(history.length);
    expect(result.report).toMatchObject({ messagesBefore: 15, messagesAfter: 5, kept: 4, summarized: 10, carried: 1 });
    expect(result.report.tokensBefore).toBe(messages.length * 10);
  });

  it('is not applied unless it is smaller than the projection', async () => {
    const { messages, origins } = await projected();
    const result = await engineOn(summary(2, 'source')).compress(messages, { source: { messages: history, origins } });
    expect(result.outcome).toBe('unchanged');
    expect(result.basis).toBe('transcript');
    expect(result.messages).toBe(messages);
    expect(result.provenance.source).toHaveLength(messages.length);
  });

  it('leaves its output settled, as a projection', async () => {
    const { messages, origins } = await projected();
    const engine = engineOn(summary(10, 'source'));
    const first = await engine.compress(messages, { source: { messages: history, origins } });
    const source = { messages: history, origins: first.provenance.output };
    const again = await engine.compress(first.messages, { source });
    expect(again.outcome).toBe('unchanged');
    expect(again.messages).toBe(first.messages);
  });

  it('keeps the contract with the source', async () => {
    const { messages, origins } = await projected();
    const losing: Work = () => ({
      edits: [{ kind: 'replace', groups: [10, 15], with: [], reasons: [] }],
      basis: 'source',
    });
    const refused = engineOn(losing).compress(messages, { source: { messages: history, origins } });
    await expect(refused).rejects.toMatchObject({ code: 'INVARIANT_VIOLATED' });
  });

  it('is refused when no source was given, or the basis is unknown', async () => {
    const without: Work = () => ({ edits: [], basis: 'source' });
    await expect(engineOn(without).compress(history)).rejects.toMatchObject({ code: 'PLAN_INVALID' });
    const unknown: Work = () => ({ edits: [], basis: 'past' as never });
    await expect(engineOn(unknown).compress(history)).rejects.toThrow('neither "transcript" nor "source"');
  });

  it('is checked after a restart, too, before the restored state counts as good', async () => {
    const { messages, origins } = await projected();
    const engine = engineOn(summary(10, 'source'));
    await engine.restore(engineOn(summary(4, 'transcript')).snapshot());
    const result = await engine.compress(messages, { source: { messages: history, origins } });
    expect(result.basis).toBe('source');
  });
});

describe('a source', () => {
  const engine = engineOn(() => ({ edits: [] }));
  const origins = history.map((_, from): Origin => ({ kind: 'original', from }));

  it.each<[string, unknown]>([
    ['that is no array of messages', { messages: 'all', origins }],
    ['without an origin for each message', { messages: history, origins: origins.slice(1) }],
    ['without origins', { messages: history }],
    ['with an origin outside of it', { messages: history.slice(1), origins }],
    ['with an origin that covers more than it has', { messages: history, origins: origins.with(0, inserted(0, 16)) }],
    ['with an origin that ends before it begins', { messages: history, origins: origins.with(0, inserted(3, 2)) }],
    ['with an empty origin', { messages: history, origins: origins.with(0, null as never) }],
  ])('%s is rejected', async (_, source) => {
    const refused = engine.compress(history, { source: source as never });
    await expect(refused).rejects.toMatchObject({ code: 'MESSAGES_INVALID' });
  });
});

function inserted(from: number, to: number): Origin {
  return { kind: 'inserted', edit: 0, covers: { from, to } };
}
