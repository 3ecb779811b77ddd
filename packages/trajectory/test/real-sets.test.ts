import { loadExactTokenizer } from '@palimpsest/tokens/exact';
import { describe, expect, it } from 'vitest';
import { addTotals, createTrajectoryCompactor, noTotals, totalsOf } from '../src/index.ts';
import { judge, type Turn } from './expectations.ts';
import { dataSets, setsNote, setsPresent } from './shared-sets.ts';

const settings = { targetTokens: 15_250, summaryTokens: 750, protectLast: 4 };

describe.skipIf(!setsPresent)(`on the real sets${setsNote}`, () => {
  it('every row fits or is marked, and only the region changes', async () => {
    const count = await loadExactTokenizer();
    const compactor = await createTrajectoryCompactor();
    const faults: string[] = [];
    let totals = noTotals;
    let seen = { rows: 0, compacted: 0, tokensBefore: 0, tokensAfter: 0, turnsBefore: 0, turnsAfter: 0 };
    for (const { name, lines } of dataSets())
      for (const [index, line] of lines.entries()) {
        const at = `${name}:${index + 1}`;
        const result = await compactor.compactLine(line);
        if (result.kind === 'rejected' || result.metrics === null) {
          faults.push(`${at}: ${result.kind}`);
          continue;
        }
        const { metrics } = result;
        const output = result.kind === 'compacted' ? result.text : line;
        const before = (JSON.parse(line) as { conversations: Turn[] }).conversations;
        const after = (JSON.parse(output) as { conversations: Turn[] }).conversations;
        const tokensBefore = before.reduce((sum, { value }) => sum + count(value), 0);
        const tokensAfter = after.reduce((sum, { value }) => sum + count(value), 0);
        const judged = judge(before, after, count, settings);
        faults.push(...judged.faults.map((fault) => `${at}: ${fault}`));
        if (metrics.tokensBefore !== tokensBefore || metrics.tokensAfter !== tokensAfter) faults.push(`${at}: tokens`);
        if (metrics.turnsBefore !== before.length || metrics.turnsAfter !== after.length) faults.push(`${at}: turns`);
        if (metrics.ratio !== tokensAfter / tokensBefore) faults.push(`${at}: ratio`);
        if (metrics.stillOverLimit !== tokensAfter > settings.targetTokens) faults.push(`${at}: stillOverLimit`);
        if (metrics.skippedUnderTarget !== tokensBefore <= settings.targetTokens) faults.push(`${at}: skipped`);
        if (metrics.wasCompacted !== (judged.region !== null)) faults.push(`${at}: wasCompacted`);
        if (judged.region) {
          const { from, to } = judged.region;
          const tokens = before.slice(from, to).reduce((sum, { value }) => sum + count(value), 0);
          expect(metrics.region).toEqual({ from, to, turns: to - from, tokens });
          expect(metrics.summaryTokens).toBe(count(after[from]!.value));
        }
        const without = (text: string, turns: number): unknown => ({ ...JSON.parse(text), conversations: turns });
        expect(without(output, 0)).toEqual(without(line, 0));
        totals = addTotals(totals, totalsOf(metrics));
        seen = {
          rows: seen.rows + 1,
          compacted: seen.compacted + Number(judged.region !== null),
          tokensBefore: seen.tokensBefore + tokensBefore,
          tokensAfter: seen.tokensAfter + tokensAfter,
          turnsBefore: seen.turnsBefore + before.length,
          turnsAfter: seen.turnsAfter + after.length,
        };
      }
    expect(faults).toEqual([]);
    expect(totals).toMatchObject(seen);
    expect(totals.skippedUnderTarget + totals.compacted + totals.failed).toBe(totals.rows);
    expect(totals.stillOverLimit).toBe(0);
    expect(seen.compacted).toBeGreaterThan(5);
  });
});
