import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { chooseRegion } from '../src/choose-region.ts';
import { createTrajectoryCompactor } from '../src/index.ts';
import { arbitraryTrajectory } from './arbitrary-trajectory.ts';
import { judge, type Turn } from './expectations.ts';

const runs = process.env.PALIMPSEST_DEEP ? 20_000 : 120;
/** Counts words. It is fast, and these tests do not depend on the count. */
const countTokens = (value: string): number => value.split(/\s+/).length + Math.floor(value.length / 40);

const total = (turns: readonly Turn[]): number => turns.reduce((sum, { value }) => sum + countTokens(value), 0);

describe('any trajectory', () => {
  it('keeps its order and loses only the region', async () => {
    let compacted = 0;
    const compactors = new Map<string, Awaited<ReturnType<typeof createTrajectoryCompactor>>>();
    const compactorFor = async (targetTokens: number, protectLast: number) => {
      const key = `${targetTokens}/${protectLast}`;
      const known =
        compactors.get(key) ??
        (await createTrajectoryCompactor({ targetTokens, protectLast, summaryTokens: 400, countTokens }));
      compactors.set(key, known);
      return known;
    };
    await fc.assert(
      fc.asyncProperty(
        arbitraryTrajectory,
        fc.constantFrom(200, 800, 1_500),
        fc.constantFrom(0, 1, 4, 7),
        async (turns, targetTokens, protectLast) => {
          const copy = structuredClone(turns);
          const { turns: after, metrics } = await (await compactorFor(targetTokens, protectLast)).compact(turns);
          expect(turns).toEqual(copy);
          const { faults, region } = judge(turns, after as Turn[], countTokens, {
            targetTokens,
            summaryTokens: 400,
            protectLast,
          });
          expect(faults).toEqual([]);
          expect(metrics.tokensBefore).toBe(total(turns));
          expect(metrics.tokensAfter).toBe(total(after as Turn[]));
          expect(metrics.stillOverLimit).toBe(metrics.tokensAfter > targetTokens);
          expect(metrics.tokensAfter).toBeLessThanOrEqual(metrics.tokensBefore);
          if (metrics.outcome !== 'compacted') expect(after).toBe(turns);
          else {
            compacted++;
            const untouched = after.filter((turn) => turns.includes(turn as Turn));
            expect(untouched.length).toBeGreaterThanOrEqual(after.length - 2);
            expect(region).not.toBeNull();
          }
        },
      ),
      { numRuns: runs },
    );
    expect(compacted).toBeGreaterThan(runs / 20);
  }, 600_000);

  it('loses as few turns as are enough, or the whole middle', () => {
    const kind = fc.constantFrom('system', 'human', 'gpt', 'gpt', 'gpt', 'tool', 'tool', 'tool') as fc.Arbitrary<'gpt'>;
    fc.assert(
      fc.property(
        fc.array(fc.tuple(kind, fc.nat(400)), { minLength: 1, maxLength: 60 }),
        fc.integer({ min: 1, max: 6_000 }),
        fc.nat(8),
        (turns, targetTokens, protectLast) => {
          const kinds = turns.map(([one]) => one);
          const tokens = turns.map(([, one]) => one);
          const totalTokens = tokens.reduce((sum, one) => sum + one, 0);
          fc.pre(totalTokens > targetTokens);
          const summaryTokens = 300;
          const choice = chooseRegion({ kinds, tokens, totalTokens, targetTokens, summaryTokens, protectLast });
          fc.pre(typeof choice !== 'string');
          if (typeof choice === 'string') return;
          const { from, to } = choice.region;
          const sum = (end: number): number => tokens.slice(from, end).reduce((one, other) => one + other, 0);
          const needed = totalTokens - targetTokens + summaryTokens;
          expect(choice.tokens).toBe(sum(to));
          expect(choice.reachesTarget).toBe(sum(to) >= needed);
          expect(sum(to)).toBeGreaterThan(summaryTokens);
          expect(kinds[from]).not.toBe(from === 0 ? '' : 'tool');
          expect(kinds[to]).not.toBe('tool');
          if (choice.reachesTarget) {
            let last = to - 1;
            while (last > from && kinds[last] === ('tool' as string)) last--;
            expect(sum(last)).toBeLessThan(needed);
          } else {
            // The next turn is protected, or is in a group with a protected turn.
            const next = kinds.slice(to).findIndex((one, index) => index > 0 && one !== ('tool' as string));
            const end = next === -1 ? kinds.length : to + next;
            const firsts = ['system', 'human', 'gpt', 'tool'].map((one) => kinds.indexOf(one as 'gpt'));
            const isBound = end > kinds.length - protectLast || firsts.some((first) => first >= to && first < end);
            expect(to === kinds.length || isBound).toBe(true);
          }
        },
      ),
      { numRuns: runs * 10 },
    );
  });
});
