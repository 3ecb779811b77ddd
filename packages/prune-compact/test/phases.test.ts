import { type Message, readHandoff } from '@palimpsest/core';
import { writeHandoff } from '@palimpsest/core/authoring';
import { cacheAware } from '@palimpsest/pruner';
import {
  assistant,
  autonomousWork,
  call,
  callsWithResults,
  chat,
  createScriptedSummarizer,
  testHost,
  user,
  writeShortSummary,
} from '@palimpsest/testkit';
import { describe, expect, it } from 'vitest';
import { pruneOnly } from '../src/index.ts';
import { makeEngine } from './make-engine.ts';

const model = { id: 'm', contextLength: 128_000 };

/** Turns with 10,000 tokens of tool output each. */
function turns(count: number, from = 0): Message[] {
  return Array.from({ length: count }, (_, at) => [
    user(`Request ${from + at}`),
    ...callsWithResults([
      call(`c${from + at}`, 'terminal', { command: `run ${from + at}` }),
      `${from + at} ok\n`.repeat(6_000).slice(0, 40_000),
    ]),
    assistant(`Reply ${from + at}.`),
  ]).flat();
}

describe('a session that only ever needs pruning', () => {
  it('calls no model, and its reports say that pruning was enough', async () => {
    const summarizer = createScriptedSummarizer(writeShortSummary);
    const engine = makeEngine(testHost({ summarizer }));
    await engine.updateModel(model);
    let view: Message[] = [];
    let passes = 0;
    for (let round = 0; round < 12; round++) {
      view = [...view, ...turns(4, round * 4)];
      const { messages, outcome, report } = await engine.compress(view);
      view = [...messages] as Message[];
      expect(report.modelCalls).toBe(0);
      expect(report.tokensAfter).toBeLessThan(engine.state.thresholdTokens);
      if (outcome === 'unchanged') continue;
      passes++;
      expect(report.reason).toBe('Pruning was enough.');
      expect(report.phases.map(({ name }) => name)).toEqual(['prune']);
      expect(report.message).toContain('No model was called.');
    }
    expect(passes).toBeGreaterThan(5);
    expect(summarizer.calls).toHaveLength(0);
    expect(engine.status().details).toMatchObject({ pruned: passes, compacted: 0 });
    expect(view.some((message) => readHandoff(message))).toBe(false);
  });
});

describe('a session of plain text, which pruning cannot shrink', () => {
  const words = Array.from({ length: 60 }, (_, at) => [
    user(`Part ${at}: ${'why so '.repeat(1_500)}`),
    assistant('Noted.'),
  ]).flat();

  it('is compacted, and the report says that pruning was not enough', async () => {
    const engine = makeEngine(testHost());
    await engine.updateModel(model);
    const { report, outcome } = await engine.compress(words);
    expect(outcome).toBe('compacted');
    expect(report.reason).toBe('Pruning was not enough, so the older turns were compacted.');
    expect(report.phases.map(({ name }) => name)).toEqual(['prune', 'summarize']);
    expect(engine.status().details).toMatchObject({ compacted: 1 });
  });

  it('is left as it is if a range of two sentences is all that could be compacted', async () => {
    const summarizer = createScriptedSummarizer({ failure: 'status', status: 503 });
    const engine = makeEngine(testHost({ summarizer }));
    await engine.updateModel(model);
    const messages = [user('Hello.'), assistant('Hello, what can I do?'), ...turns(1)];
    const { outcome, report } = await engine.compress(messages, { currentTokens: 120_000 });
    expect(outcome).toBe('unchanged');
    expect(report).toMatchObject({ modelCalls: 0, failure: null });
    expect(engine.status().cooldownUntil).toBeNull();
  });

  it('is summarized by rules if no model call is allowed', async () => {
    const summarizer = createScriptedSummarizer(writeShortSummary);
    const engine = makeEngine(testHost({ summarizer }));
    await engine.updateModel(model);
    const { messages, report } = await engine.compress(words, { effort: 'free' });
    expect(messages.some((message) => readHandoff(message as Message))).toBe(true);
    expect(report).toMatchObject({ summarizedBy: 'extractive', modelCalls: 0 });
    expect(report.tokensAfter).toBeLessThan(engine.state.thresholdTokens);
    expect(summarizer.calls).toHaveLength(0);
  });
});

describe('the line that tells the agent to continue', () => {
  const continuation = 'This summary was written in the middle of a turn.';
  const body = async (messages: Message[]): Promise<string> => {
    const engine = makeEngine(testHost(), { protectTokens: 200, minimumTokens: 50 });
    await engine.updateModel({ id: 'm', contextLength: 8_000 });
    const { messages: output } = await engine.compress(messages, { targetTokens: 2_500 });
    return readHandoff([...output].find((message) => readHandoff(message as Message)) as Message)!.body;
  };

  it.each([
    ['is added after tool results', autonomousWork(40), true],
    ['is added after calls', [...autonomousWork(40), assistant(null, call('x', 'read_file', { path: 'a' }))], true],
    ['is added after a message of a harness', [...autonomousWork(40), user('[System: go on]')], true],
    ['is not added after a reply', [...autonomousWork(40), assistant('Done.')], false],
    ['is not added after a request', [...chat(30), user('And?')], false],
  ] as const)('%s', async (_name, messages, isAdded) => {
    expect((await body([...messages])).includes(continuation)).toBe(isAdded);
  });

  it('is not part of the next summary', async () => {
    const engine = makeEngine(testHost({ summarizer: null }), { protectTokens: 200, minimumTokens: 50 });
    await engine.updateModel({ id: 'm', contextLength: 8_000 });
    const first = await engine.compress(autonomousWork(40), { targetTokens: 2_500 });
    const grown = [...first.messages, ...autonomousWork(40).slice(2), assistant('Done.')] as Message[];
    const second = await engine.compress(grown, { targetTokens: 2_500 });
    expect(JSON.stringify(first.messages)).toContain(continuation);
    expect(JSON.stringify(second.messages)).not.toContain(continuation);
  });
});

describe('an agent that works on one prompt', () => {
  it('keeps only the output of the newest steps, and needs no model call', async () => {
    const summarizer = createScriptedSummarizer(writeShortSummary);
    const engine = makeEngine(testHost({ summarizer }));
    await engine.updateModel(model);
    let view: Message[] = [user('Migrate everything.')];
    let pruned = 0;
    for (let round = 0; round < 12; round++) {
      const before = turns(4, round * 4).filter(({ role, tool_calls: calls }) => role === 'tool' || calls);
      const { messages, report } = await engine.compress([...view, ...before]);
      view = [...messages] as Message[];
      pruned += report.phases.find(({ name }) => name === 'prune')?.reclaimedTokens ?? 0;
      expect(view.slice(-4)).toEqual(before.slice(-4));
    }
    expect(pruned).toBeGreaterThan(300_000);
    expect(summarizer.calls).toHaveLength(0);
  });

  it('keeps the whole turn if the request has `keepLastTurns`', async () => {
    const engine = makeEngine(testHost({ summarizer: null }), { protectTokens: 100, minimumTokens: 10 });
    await engine.updateModel(model);
    const messages = [user('Migrate everything.'), ...turns(12).filter(({ role }) => role !== 'user')];
    const { messages: output } = await engine.compress(messages, { force: true, keepLastTurns: 1 });
    expect(output).toBe(messages);
  });
});

describe('pruning', () => {
  const kept = (messages: readonly unknown[], original: readonly Message[]): number[] =>
    original.flatMap((message, at) => (message.role === 'tool' && message === messages[at] ? [at] : []));

  it('stops at an earlier compaction', () => {
    const old = turns(8);
    const messages = [...old, user(writeHandoff('## Goal\nNone.')), assistant('Yes.'), ...turns(8, 8)];
    const { messages: after } = pruneOnly(messages, testHost(), { model });
    expect(kept(after, messages).filter((at) => at < old.length)).toHaveLength(8);
    expect(kept(after, messages).length).toBeLessThan(16);
  });

  it('keeps protected tools and the last two turns, and writes a plain placeholder if the options say so', () => {
    const skill = callsWithResults([call('s', 'skill', {}), 'x '.repeat(20_000)]);
    const messages = [user('Go.'), ...skill, ...turns(9)];
    const { messages: after } = pruneOnly(messages, testHost(), {
      model,
      options: { placeholder: 'plain', protectTokens: 1 },
    });
    expect(after[2]).toBe(messages[2]);
    expect(after.slice(-8)).toEqual(messages.slice(-8));
    expect(after[5]!.content).toBe('[Tool output pruned - was 30000 chars]');
  });

  it('without the engine asks the gate, which can refuse in order to keep the prompt cache', () => {
    const messages = turns(12);
    const run = (expectedRequests: number) =>
      pruneOnly(messages, testHost(), { model, gate: cacheAware({ expectedRequests }) });
    expect(run(1)).toMatchObject({ messages, report: { committed: false, reason: 'gate-closed' } });
    expect(run(200).report.committed).toBe(true);
  });

  it('rejects invalid options', () => {
    expect(() => pruneOnly([], testHost(), { model, options: { protectTokens: -1 } })).toThrow(/protectTokens/);
  });
});
