import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { IndexPool, sharedIndexes } from '../src/hidden/index-pool.ts';
import { createRecall, refsOfHidden } from '../src/index.ts';
import { exchange, redact, summarized } from './histories.ts';

describe('the indexes of a process', () => {
  it('share the limit of memory; only a single index may exceed it', () => {
    const uses = fc.array(fc.tuple(fc.nat({ max: 9 }), fc.nat({ max: 120 })), { maxLength: 60 });
    fc.assert(
      fc.property(uses, (given) => {
        const pool = new IndexPool(100);
        const sizes = new Map<number, number>();
        const leases = Array.from({ length: 10 }, (_, at) => pool.lease(() => sizes.delete(at)));
        for (const [at, bytes] of given) {
          if (bytes === 0) sizes.delete(at);
          else sizes.set(at, bytes);
          leases[at]!.reportUse(bytes);
          expect(pool.bytes).toBe([...sizes.values()].reduce((sum, size) => sum + size, 0));
          expect(pool.bytes <= 100 || sizes.size === 1).toBe(true);
          if (bytes > 0) expect(sizes.has(at)).toBe(true);
        }
      }),
    );
  });

  it('are built again after they were dropped, with the same refs', async () => {
    const small = exchange('read_file', { path: 'a.ts' }, 'const port = 5433;');
    const large = '='.repeat(65_000_000);
    const [first, second] = [small, exchange('bash', {}, large)].map((history, at) => {
      const recall = createRecall({ sessionId: String(at), redact });
      recall.update(history, summarized(history, history.length));
      return recall;
    });
    const before = await first!.callTool('recall', { query: 'port' });
    await second!.callTool('recall', { query: 'port' });
    expect(sharedIndexes.bytes).toBeGreaterThan(64_000_000);
    expect(await first!.callTool('recall', { query: 'port' })).toBe(before);
    const bytes = sharedIndexes.bytes;
    expect(bytes).toBeLessThan(64_000_000);
    first!.release();
    expect(sharedIndexes.bytes).toBeLessThan(bytes);
    expect(await first!.callTool('recall', { query: 'port' })).toBe(before);
  });
});

describe('refs without an index', () => {
  it('are the ones that the tools accept, for any history', async () => {
    const results = fc.array(fc.string({ minLength: 1, maxLength: 40 }), { maxLength: 20 });
    await fc.assert(
      fc.asyncProperty(results, fc.nat({ max: 40 }), async (texts, hidden) => {
        const history = texts.flatMap((text, at) => exchange('read_file', { path: `${at % 3}.ts` }, text));
        const projection = summarized(history, Math.min(hidden, history.length));
        const recall = createRecall({ sessionId: 'one', redact });
        recall.update(history, projection);
        const refs = refsOfHidden('one', history, projection);
        history.forEach((_, at) => {
          expect(refs.get(at) ?? []).toEqual(recall.refsOf(at));
        });
      }),
    );
  });
});
