import { isToolResult, type Message, readHandoff, systemClock } from '@palimpsest/core';
import { Transcript } from '@palimpsest/core/authoring';
import { assistant, call, exchange, scriptedSummarizer, testHost, user, writtenSummary } from '@palimpsest/testkit';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compressorBudget } from '../src/budget.ts';
import { type Opening, type OpeningInput, open, openNear } from '../src/opening.ts';
import type { CompressorOptionsInput } from '../src/options.ts';
import { makeEngine, optionsOf } from './make-engine.ts';

/** Requests with output of about 2,000 tokens each. */
function bulky(turns: number): Message[] {
  return Array.from({ length: turns }, (_, at) => [
    user(`Request ${at}`),
    ...exchange([call(`c${at}`, 'terminal', { command: `run ${at}` }), `${at} ok\n`.repeat(1_500)]),
    assistant(`Reply ${at}.`),
  ]).flat();
}

async function compressed(messages: readonly Message[], options: CompressorOptionsInput = {}) {
  const engine = makeEngine(testHost({ summarizer: scriptedSummarizer((request) => writtenSummary(request)) }), {
    minimumThreshold: 0,
    ...options,
  });
  engine.updateModel({ id: 'm', contextLength: 40_000 });
  const { messages: after, report, outcome } = await engine.compress(messages);
  expect(outcome).toBe('compressed');
  const at = after.findIndex((message) => readHandoff(message as Message));
  const results = (part: readonly unknown[]): string[] =>
    (part as Message[]).filter(isToolResult).map(({ content }) => content as string);
  return { report, head: results(after.slice(0, at)), tail: results(after.slice(at)) };
}

describe('pruning before a fold', () => {
  it('looks only at what can be left of a long transcript', async () => {
    const { report, tail } = await compressed(bulky(600), { protectFirst: 0 });
    const [prune] = report.phases;
    expect(prune?.name).toBe('prune');
    expect(prune!.messages).toBeGreaterThan(0);
    expect(prune!.messages).toBeLessThan(10);
    expect(tail.at(-1)!.length).toBeGreaterThan(1_000);
  });

  it('takes everything into account where something to prune is left at the beginning', async () => {
    const { report, head } = await compressed(bulky(600), { protectFirst: 4 });
    expect(head).toHaveLength(1);
    expect(head[0]!.length).toBeLessThan(200);
    expect(report.phases[0]!.messages).toBeGreaterThan(550);
  });
});

describe('a near opening', () => {
  const turn = fc.record({
    asks: fc.boolean(),
    reply: fc.integer({ min: 1, max: 300 }),
    results: fc.array(fc.oneof(fc.integer({ min: 1, max: 60 }), fc.integer({ min: 200, max: 1_500 })), {
      maxLength: 4,
    }),
  });
  const messagesOf = (turns: readonly { asks: boolean; reply: number; results: readonly number[] }[]): Message[] =>
    turns.flatMap(({ asks, reply, results }, at) => [
      ...(asks ? [user(`Request ${at}`)] : []),
      ...results.flatMap((lines, index) =>
        exchange([call(`c${at}-${index}`, 'terminal', { command: `run ${lines}` }), `${lines} ok\n`.repeat(lines)]),
      ),
      assistant('word '.repeat(reply)),
    ]);

  it('is found or given up soon, also where the tail may hold nothing', () => {
    let asked = 0;
    const host = { ...testHost(), clock: { ...systemClock, now: () => asked++ } };
    const options = optionsOf({ thresholdCap: 4, protectFirst: 0 });
    const budget = compressorBudget(options, { id: 'm', contextLength: 40_000 });
    expect(budget.tailTokens).toBe(0);
    const transcript = Transcript.of(bulky(40), host.tokens);
    const request = { keepLastExchanges: 40 };
    const { groups } = openNear({ transcript, request, options, host, budget, previousSummary: null, handoffAt: -1 });
    expect(groups).toBeNull();
    expect(asked).toBeLessThan(50);
  });

  it('folds and keeps what a look at everything would', () => {
    let spared = 0;
    const settings = fc.record({
      turns: fc.array(turn, { minLength: 20, maxLength: 90 }),
      contextLength: fc.integer({ min: 4_000, max: 60_000 }),
      protectFirst: fc.constantFrom(0, 3, 8),
      keepLastExchanges: fc.constantFrom(undefined, 2, 20),
      force: fc.boolean(),
    });
    fc.assert(
      fc.property(settings, ({ turns, contextLength, protectFirst, ...request }) => {
        const host = testHost();
        const options = optionsOf({ minimumThreshold: 0, protectFirst });
        const given: OpeningInput = {
          transcript: Transcript.of(messagesOf(turns), host.tokens),
          request,
          options,
          host,
          budget: compressorBudget(options, { id: 'm', contextLength }),
          previousSummary: null,
          handoffAt: -1,
        };
        const [near, whole] = [openNear(given), open(given)];
        const kept = ({ input: { draft }, groups }: Opening): unknown[] =>
          given.transcript.groups.flatMap(({ from }, group) =>
            groups && group >= groups[0] && group < groups[1] ? [] : [draft.current(from), draft.current(from + 1)],
          );
        expect(near.groups).toEqual(whole.groups);
        expect(kept(near)).toEqual(kept(whole));
        if (near.reach > 0) spared++;
      }),
      { numRuns: 150 },
    );
    expect(spared).toBeGreaterThan(20);
  });
});
