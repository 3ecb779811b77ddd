import { dialects } from '@palimpsest/core';
import { Draft, headEnd, Transcript, tailStarts } from '@palimpsest/core/authoring';
import { arbitraryTranscript, testHost } from '@palimpsest/testkit';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  findHeadEnd,
  type GroupRange,
  latestTailStart,
  type MiddleInput,
  middleRange,
  rangeBeforeTurns,
  startOfKeptTurns,
} from '../../src/index.ts';

const settings = fc.record({
  messages: arbitraryTranscript({ maxLength: 80 }),
  dialect: fc.constantFrom(...dialects),
  tailTokens: fc.nat(4_000),
  force: fc.boolean(),
  targetTokens: fc.option(fc.nat(6_000), { nil: undefined }),
  keepLastTurns: fc.option(fc.integer({ min: 1, max: 4 }), { nil: undefined }),
});

type Given = Pick<MiddleInput, 'draft' | 'asked' | 'host' | 'tailTokens'>;

/** Checks the properties of every range, and that enough ranges were found. */
function expectLegalRanges(find: (given: Given) => GroupRange | null): void {
  let found = 0;
  fc.assert(
    fc.property(settings, ({ messages, dialect, tailTokens, ...asked }) => {
      const host = testHost({ dialect });
      const transcript = Transcript.of(messages, host.tokens);
      const range = find({ draft: new Draft(transcript), asked, host, tailTokens });
      if (!range) return;
      found++;
      const [from, to] = range;
      expect(from).toBeGreaterThanOrEqual(headEnd(transcript, 0));
      expect(to).toBeGreaterThan(from);
      expect(to).toBeLessThanOrEqual(latestTailStart(transcript));
      expect(to).toBeLessThanOrEqual(startOfKeptTurns(transcript, asked, host.isFromPerson));
      expect(tailStarts(transcript, dialect)[to]).not.toBe(0);
    }),
    { numRuns: 300 },
  );
  expect(found).toBeGreaterThan(30);
}

describe('a range to summarize starts after the head and ends at a legal tail start', () => {
  it('if it is the middle between head and tail', () => {
    const head = { protectFirst: 3, headTokens: Infinity };
    expectLegalRanges((given) =>
      middleRange({ ...given, ...head, maxTailTokens: given.tailTokens * 1.5, protectLast: 4, handoffAt: -1 }),
    );
  });

  it('if it is everything before the newest turns', () => {
    expectLegalRanges(({ tailTokens, ...given }) => {
      const budget = { contextLength: 0, usableTokens: 1e9, thresholdTokens: 0, summaryTokens: 0, tailTokens };
      return rangeBeforeTurns({ ...given, budget, turns: 2, handoffAt: -1 });
    });
  });
});

describe('the protected head', () => {
  it('ends before the current task and has no more than its messages and tokens', () => {
    const given = fc.tuple(arbitraryTranscript({ maxLength: 60 }), fc.nat(10), fc.nat(3_000));
    fc.assert(
      fc.property(given, ([messages, protectFirst, headTokens]) => {
        const transcript = Transcript.of(messages, testHost().tokens);
        const end = findHeadEnd(transcript, { protectFirst, headTokens });
        const systemOnly = headEnd(transcript, 0);
        expect(transcript.tokensOfGroups(systemOnly, end)).toBeLessThanOrEqual(headTokens);
        if (end > systemOnly && transcript.task)
          expect(end).toBeLessThanOrEqual(transcript.groupOf(transcript.task.from));
      }),
      { numRuns: 200 },
    );
  });
});
