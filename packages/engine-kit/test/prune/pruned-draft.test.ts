import { type Budget, type Message, systemClock } from '@palimpsest/core';
import { Transcript } from '@palimpsest/core/authoring';
import { assistant, call, exchange, testHost, user } from '@palimpsest/testkit';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type PrunedDraft, type PrunedDraftInput, prunedDraft, prunedDraftNearTail } from '../../src/index.ts';

/** Requests with output of about 2,000 tokens each. */
function bulky(turns: number): Message[] {
  return Array.from({ length: turns }, (_, at) => [
    user(`Request ${at}`),
    ...exchange([call(`c${at}`, 'terminal', { command: `run ${at}` }), `${at} ok\n`.repeat(1_500)]),
    assistant(`Reply ${at}.`),
  ]).flat();
}

/** A budget with the threshold at half of the window and the tail at a tenth. */
function budgetOf(contextLength: number): Budget {
  const thresholdTokens = Math.floor(contextLength * 0.5);
  const tailTokens = Math.floor(thresholdTokens * 0.2);
  return { contextLength, usableTokens: contextLength, thresholdTokens, tailTokens, summaryTokens: 2_000 };
}

describe('a draft pruned near the tail', () => {
  const turn = fc.record({
    hasRequest: fc.boolean(),
    reply: fc.integer({ min: 1, max: 300 }),
    results: fc.array(fc.oneof(fc.integer({ min: 1, max: 60 }), fc.integer({ min: 200, max: 1_500 })), {
      maxLength: 4,
    }),
  });
  const messagesOf = (
    turns: readonly { hasRequest: boolean; reply: number; results: readonly number[] }[],
  ): Message[] =>
    turns.flatMap(({ hasRequest, reply, results }, at) => [
      ...(hasRequest ? [user(`Request ${at}`)] : []),
      ...results.flatMap((lines, index) =>
        exchange([call(`c${at}-${index}`, 'terminal', { command: `run ${lines}` }), `${lines} ok\n`.repeat(lines)]),
      ),
      assistant('word '.repeat(reply)),
    ]);

  it('is found, or the search ends, after a few steps even if the tail has a budget of 0', () => {
    let clockReads = 0;
    const host = { ...testHost(), clock: { ...systemClock, now: () => clockReads++ } };
    const budget = { ...budgetOf(40_000), thresholdTokens: 4, tailTokens: 0 };
    const settings = { previousSummary: null, handoffAt: -1, protectFirst: 0, protectLast: 20 };
    const transcript = Transcript.of(bulky(40), host.tokens, host);
    const request = { keepLastExchanges: 40 };
    const { range } = prunedDraftNearTail({ ...settings, transcript, request, host, budget });
    expect(range).toBeNull();
    expect(clockReads).toBeLessThan(50);
  });

  it('folds and keeps the same as a draft pruned from the start', () => {
    let partlyPruned = 0;
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
        const given: PrunedDraftInput = {
          transcript: Transcript.of(messagesOf(turns), host.tokens, host),
          request,
          host,
          budget: budgetOf(contextLength),
          protectFirst,
          protectLast: 20,
          previousSummary: null,
          handoffAt: -1,
        };
        const [near, whole] = [prunedDraftNearTail(given), prunedDraft(given)];
        const kept = ({ draft, range }: PrunedDraft): unknown[] =>
          given.transcript.groups.flatMap(({ from }, group) =>
            range && group >= range[0] && group < range[1] ? [] : [draft.current(from), draft.current(from + 1)],
          );
        expect(near.range).toEqual(whole.range);
        expect(kept(near)).toEqual(kept(whole));
        if (near.prunedFrom > 0) partlyPruned++;
      }),
      { numRuns: 150 },
    );
    expect(partlyPruned).toBeGreaterThan(20);
  });
});
