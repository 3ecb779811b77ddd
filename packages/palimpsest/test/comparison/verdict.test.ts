import { examplePrices } from '@palimpsest/comparison/replay/input-cost';
import type { ReplaySizes } from '@palimpsest/comparison/replay/replay';
import { verdictOn } from '@palimpsest/comparison/verdict';
import type { JudgedEngine } from '@palimpsest/comparison/verdict/judged-engine';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

const nothingLost = {
  userMessages: { kept: 6, of: 6 },
  changedFiles: { kept: 14, of: 14, lost: [] },
  anchors: { kept: 23, of: 23, lost: [] },
};

function row(engine: string, changed: Partial<JudgedEngine['row']> = {}): JudgedEngine['row'] {
  return {
    engine,
    outcome: 'compressed',
    reason: 'Done.',
    thresholdTokens: 100_000,
    reachedThreshold: true,
    fitsWindow: true,
    tokensBefore: 163_000,
    tokensAfter: 31_000,
    kept: nothingLost,
    lastRequestKept: true,
    wireViolations: 0,
    ...changed,
  };
}

/** A replay of some requests that share nothing, so that each token costs as much as one written to the cache. */
function replayed(requests: number, tokens: number, compactions: number, refusals = 0): ReplaySizes {
  return {
    sent: Array.from({ length: requests }, () => tokens),
    shared: Array.from({ length: requests }, () => 0),
    compactions: Array.from({ length: compactions }),
    refusals,
  };
}

const judge = (engines: readonly JudgedEngine[], recorded: ReplaySizes | null = null) =>
  verdictOn({ windowTokens: 200_000, engines, recorded, prices: examplePrices });

describe('the verdict', () => {
  it('says what each engine does and costs, the cheapest first, and what is kept', () => {
    const { text, best, sentences } = judge(
      [
        { row: row('prune-compact'), replay: replayed(10, 80_000, 2) },
        { row: row('compressor'), replay: replayed(10, 72_000, 3) },
      ],
      replayed(10, 220_000, 0),
    );
    expect(text).toBe(
      'In a 200K window, compressor compacts 3 times and costs $2.70; prune-compact compacts twice and costs $3.00 (11% more). ' +
        'Both keep the request, all 6 user messages, all 14 changed files and all 23 identifiers. ' +
        'Without an engine, the session costs $8.25, but 10 of its 10 requests exceed the window.',
    );
    expect(best).toBe('compressor');
    expect(sentences[0]!.filter(({ kind }) => kind !== 'text')).toEqual([
      { kind: 'engine', text: 'compressor' },
      { kind: 'best', text: '$2.70' },
      { kind: 'engine', text: 'prune-compact' },
    ]);
  });

  it('names what only one engine loses', () => {
    const lossy = row('compressor', {
      kept: {
        userMessages: { kept: 5, of: 6 },
        changedFiles: { kept: 12, of: 14, lost: ['src/a.ts', 'src/b.ts'] },
        anchors: { kept: 17, of: 23, lost: ['src/a.ts', 'one.md', 'two.md', 'three.md', 'four.md', 'five.md'] },
      },
    });
    const { text, sentences } = judge([
      { row: lossy, replay: null },
      { row: row('prune-compact'), replay: null },
    ]);
    expect(text).toContain(
      'Both keep the request. compressor loses 1 of 6 user messages, 2 of 14 changed files (src/a.ts and src/b.ts) and ' +
        '6 of 23 identifiers (one.md, two.md, three.md and 3 more); prune-compact loses nothing that is measured.',
    );
    expect(sentences.flat().filter(({ kind }) => kind === 'name')).toHaveLength(5);
  });

  it('says once what all lose', () => {
    const lossy = { ...nothingLost, anchors: { kept: 22, of: 23, lost: ['one.md'] } };
    const engines = ['a', 'b', 'c'].map((name) => ({ row: row(name, { kept: lossy }), replay: null }));
    expect(judge(engines).text).toMatch(
      /All 3 engines keep the request, .*\. All 3 engines lose 1 of 23 identifiers \(one\.md\)\.$/,
    );
  });

  it('says when an engine would not run yet', () => {
    const waiting = { outcome: 'unchanged', reachedThreshold: false } as const;
    const below = [
      { row: row('compressor', { ...waiting, tokensBefore: 90_000 }), replay: replayed(3, 9_000, 0) },
      {
        row: row('prune-compact', { ...waiting, tokensBefore: 90_000, thresholdTokens: 153_000 }),
        replay: replayed(3, 9_000, 0),
      },
    ];
    expect(judge(below, replayed(3, 9_000, 0))).toMatchObject({
      text: 'In a 200K window, compressor and prune-compact would not run yet: the session has 90,000 tokens; compressor starts at 100,000, prune-compact at 153,000.',
      best: null,
    });
    const { text } = judge([{ row: row('compressor'), replay: replayed(3, 9_000, 1) }, below[1]!]);
    expect(text).toMatch(
      /^In a 200K window, compressor compacts once and costs \$0\.101\. prune-compact would not run yet: the session has 90,000 tokens; it starts at 153,000\./,
    );
    expect(text).toContain('compressor keeps the request');
  });

  it('says when engines tie', () => {
    const { text, best } = judge([
      { row: row('compressor'), replay: replayed(10, 72_000, 3) },
      { row: row('prune-compact'), replay: replayed(10, 72_001, 1) },
    ]);
    expect(text).toContain('compressor compacts 3 times and prune-compact compacts once; both cost $2.70.');
    expect(best).toBe(null);
  });

  it('says when an engine fails, finds nothing, or breaks the contract, and does not call it the best', () => {
    const { text, best } = judge([
      { row: row('forgetful', { outcome: 'failed', reason: 'it lost the request' }), replay: null },
      { row: row('idle', { outcome: 'unchanged', reason: 'Nothing to do.' }), replay: replayed(2, 1_000, 0, 1) },
      { row: row('careless', { lastRequestKept: false, wireViolations: 2 }), replay: replayed(2, 1_000, 1) },
      { row: row('large', { fitsWindow: false, tokensAfter: 250_000 }), replay: replayed(2, 250_000, 1) },
      { row: row('sound'), replay: replayed(2, 100_000, 1) },
    ]);
    expect(best).toBe('sound');
    for (const words of [
      'forgetful failed: it lost the request.',
      'idle finds nothing to remove: Nothing to do.',
      'The result of careless breaks a rule of the provider 2 times.',
      'careless loses the request',
      'large compacts once and costs $1.88 (250 times as much), but 2 requests exceed the window',
      'What large leaves is too large: 250,000 tokens do not fit into the window, and a provider would reject them.',
    ])
      expect(text).toContain(words);
  });

  it('says when the next request would be compacted', () => {
    const { text } = judge([{ row: row('compressor', { outcome: 'unchanged' }), replay: replayed(2, 1_000, 0) }]);
    expect(text).toMatch(/^In a 200K window, compressor compacts before the next request and costs \$0\.008\./);
  });

  it('ranks by what is left when nothing was replayed', () => {
    const { text, best } = judge([
      { row: row('compressor'), replay: null },
      { row: row('prune-compact', { tokensAfter: 62_000 }), replay: null },
    ]);
    expect(text).toMatch(
      /^In a 200K window, compressor leaves 31,000 tokens; prune-compact leaves 62,000 tokens \(2 times as much\)\./,
    );
    expect(best).toBe('compressor');
  });

  it('is made of whole sentences, whatever the figures are', () => {
    const share = fc.tuple(fc.nat(9), fc.nat(9)).map(([a, b]) => ({ kept: Math.min(a, b), of: Math.max(a, b) }));
    const named = share.map(({ kept, of }) => ({
      kept,
      of,
      lost: Array.from({ length: of - kept }, (_, at) => `src/${at}.ts`),
    }));
    const judged = fc.record({
      row: fc.record({
        engine: fc.constantFrom('compressor', 'prune-compact', 'mine'),
        outcome: fc.constantFrom('compressed', 'degraded', 'unchanged', 'aborted', 'failed'),
        reason: fc.constantFrom('Done.', 'no reason'),
        thresholdTokens: fc.nat(1_000_000),
        reachedThreshold: fc.boolean(),
        fitsWindow: fc.boolean(),
        tokensBefore: fc.nat(1_000_000),
        tokensAfter: fc.nat(1_000_000),
        kept: fc.record({ userMessages: share, changedFiles: named, anchors: named }),
        lastRequestKept: fc.boolean(),
        wireViolations: fc.nat(3),
      }),
      replay: fc.option(fc.tuple(fc.nat(3), fc.nat(300_000), fc.nat(4)).map((sizes) => replayed(...sizes))),
    });
    fc.assert(
      fc.property(fc.array(judged, { minLength: 1, maxLength: 4 }), (engines) => {
        const { text, best, sentences } = judge(engines as JudgedEngine[], replayed(2, 1_000, 0));
        expect(text).not.toMatch(/undefined|NaN|Infinity| {2}| [.,;]|\.\.|[a-z]\$/);
        for (const parts of sentences) expect(parts.at(-1)!.text).toMatch(/[.!?…]$/);
        if (best !== null) expect(engines.map(({ row: { engine } }) => engine)).toContain(best);
      }),
    );
  });
});
