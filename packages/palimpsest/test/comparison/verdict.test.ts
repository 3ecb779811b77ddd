import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { examplePrices } from '../../src/comparison/replay/input-cost.ts';
import type { ReplaySizes } from '../../src/comparison/replay/replay.ts';
import { bestEngine, isBetter } from '../../src/comparison/verdict/better-engine.ts';
import type { Candidate } from '../../src/comparison/verdict/candidate.ts';
import type { JudgedEngine } from '../../src/comparison/verdict/judged-engine.ts';
import { sentencesOf, verdictOn } from '../../src/comparison/verdict.ts';

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
  const threeLost = { ...nothingLost, anchors: { kept: 20, of: 23, lost: ['one.md', 'two.md', 'three.md'] } };
  const wordsLost = { ...nothingLost, userMessages: { kept: 3, of: 6 } };

  it('names the cheaper engine if it keeps about as much, and says when to choose the other', () => {
    const { text, best, headline } = judge(
      [
        { row: row('prune-compact'), replay: replayed(10, 80_000, 2) },
        { row: row('compressor', { kept: threeLost }), replay: replayed(10, 64_000, 3) },
      ],
      replayed(10, 220_000, 0),
    );
    expect(text).toBe(
      "compressor is better for this session: the input of all 10 requests costs $2.40 with the provider's cache, 20% less than with " +
        'prune-compact ($3.00). ' +
        'Choose prune-compact if exact names matter more. ' +
        'prune-compact loses nothing that is measured; compressor loses 3 of the 23 exact names ' +
        '(one.md, two.md and three.md). ' +
        'Without an engine, the input costs $8.25, but 10 of its 10 requests exceed the window.',
    );
    expect(best).toBe('compressor');
    expect(headline.filter(({ kind }) => kind !== 'text')).toEqual([
      { kind: 'winner', text: 'compressor' },
      { kind: 'best', text: '$2.40' },
      { kind: 'term', text: "provider's cache" },
      { kind: 'engine', text: 'prune-compact' },
    ]);
  });

  it('names the engine that keeps more if both cost about the same', () => {
    const { text, best } = judge([
      { row: row('compressor', { kept: wordsLost }), replay: replayed(10, 74_000, 3) },
      { row: row('prune-compact'), replay: replayed(10, 80_000, 2) },
    ]);
    expect(best).toBe('prune-compact');
    expect(text).toContain(
      'prune-compact is better for this session: it keeps more, and the input of all 10 requests ' +
        "costs $3.00 with the provider's cache (compressor: $2.78).",
    );
    expect(text).toContain('Choose compressor if cost matters more.');
    expect(text).toContain('compressor loses the exact words of 3 of the 6 user messages; prune-compact loses nothing');
  });

  it('names no winner if the cheaper engine keeps much less, or if nothing decides', () => {
    const cheap = { row: row('compressor', { kept: wordsLost }), replay: replayed(10, 60_000, 3) };
    const conflict = judge([cheap, { row: row('prune-compact'), replay: replayed(10, 80_000, 2) }]);
    expect(conflict.best).toBe(null);
    expect(conflict.text).toContain(
      'No clear winner: compressor costs less, and prune-compact keeps more; the input costs compressor $2.25 and ' +
        "prune-compact $3.00 with the provider's cache.",
    );
    const same = judge([
      { row: row('compressor'), replay: replayed(10, 72_000, 3) },
      { row: row('prune-compact'), replay: replayed(10, 75_000, 1) },
    ]);
    expect(same.best).toBe(null);
    expect(same.text).toMatch(/^No clear winner: neither cost nor what is kept decides; /);
  });

  it('says that no engine is needed if the session fits the window and no engine saves a tenth', () => {
    const { text, best } = judge(
      [
        { row: row('compressor'), replay: replayed(10, 95_000, 1) },
        {
          row: row('prune-compact', { outcome: 'unchanged', reachedThreshold: false }),
          replay: replayed(10, 100_000, 0),
        },
      ],
      replayed(10, 100_000, 0),
    );
    expect(best).toBe(null);
    expect(text).toMatch(
      /^No engine is needed so far: every request fits a 200K window, and no engine saves 10% of the \$3\.75 that the input costs with the provider's cache\./,
    );
  });

  it('names what only one engine loses', () => {
    const lossy = row('compressor', {
      kept: {
        userMessages: { kept: 5, of: 6 },
        changedFiles: { kept: 12, of: 14, lost: ['src/a.ts', 'src/b.ts'] },
        anchors: { kept: 17, of: 23, lost: ['src/a.ts', 'one.md', 'two.md', 'three.md', 'four.md', 'five.md'] },
      },
    });
    const { text, reasons } = judge([
      { row: lossy, replay: null },
      { row: row('prune-compact'), replay: null },
    ]);
    expect(text).toContain(
      'compressor loses the exact words of 1 of the 6 user messages, 2 of the 14 changed files (src/a.ts and src/b.ts) and ' +
        '6 of the 23 exact names (one.md, two.md, three.md and 3 more); ' +
        'prune-compact loses nothing that is measured.',
    );
    expect(reasons.flat().filter(({ kind }) => kind === 'name')).toHaveLength(5);
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
      text: 'No engine would run yet: the session has 90,000 tokens; in a 200K window, compressor starts at 100,000, prune-compact at 153,000.',
      best: null,
    });
    // The engine that waits is compared, too: it sends the session whole.
    const { text, best } = judge([{ row: row('compressor'), replay: replayed(3, 6_000, 1) }, below[1]!]);
    expect(best).toBe('compressor');
    expect(text).toMatch(/^compressor is better for this session: .* 33% less than with prune-compact \(\$0\.101\)\./);
    expect(text).toContain(
      'prune-compact would not run yet: the session has 90,000 tokens, and prune-compact starts at 153,000.',
    );
  });

  it('says when an engine fails, finds nothing, or breaks the contract, and does not name it', () => {
    const { text, best } = judge([
      { row: row('forgetful', { outcome: 'failed', reason: 'it lost the request' }), replay: null },
      { row: row('idle', { outcome: 'unchanged', reason: 'Nothing to do.' }), replay: replayed(2, 1_000, 0, 1) },
      { row: row('careless', { lastRequestKept: false, wireViolations: 2 }), replay: replayed(2, 1_000, 1) },
      { row: row('large', { fitsWindow: false, tokensAfter: 250_000 }), replay: replayed(2, 250_000, 1) },
      { row: row('sound'), replay: replayed(2, 100_000, 1) },
    ]);
    expect(best).toBe('sound');
    for (const words of [
      'sound is best for this session: it is the only one whose prompts a provider accepts; the input of all 2 requests costs $0.750',
      'forgetful failed: it lost the request.',
      'idle finds nothing to remove: Nothing to do.',
      'The result of careless breaks a rule of the provider 2 times.',
      'careless loses the request',
      'sound loses nothing that is measured',
      'large sends 2 requests that exceed the window.',
      'What large leaves is too large: 250,000 tokens do not fit into the window, and a provider would reject them.',
    ])
      expect(text).toContain(words);
    const none = judge([{ row: row('large', { fitsWindow: false }), replay: replayed(2, 250_000, 1) }]);
    expect(none).toMatchObject({ best: null });
    expect(none.text).toMatch(/^No engine leaves prompts that a provider accepts\./);
  });

  it('states the cost of a single engine', () => {
    const { text, best } = judge([{ row: row('compressor', { outcome: 'unchanged' }), replay: replayed(2, 1_000, 0) }]);
    expect(text).toBe("compressor: the input of all 2 requests costs $0.008 with the provider's cache.");
    expect(best).toBe(null);
  });

  it('compares sizes when nothing was replayed', () => {
    const { text, best } = judge([
      { row: row('compressor'), replay: null },
      { row: row('prune-compact', { tokensAfter: 62_000 }), replay: null },
    ]);
    expect(text).toBe(
      'compressor is better for this session: it leaves 31,000 tokens, 50% less than with prune-compact (62,000).',
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
        const verdict = judge(engines as JudgedEngine[], replayed(2, 1_000, 0));
        const { text, best } = verdict;
        expect(text).not.toMatch(/undefined|NaN|Infinity| {2}| [.,;]|\.\.|[a-z]\$/);
        for (const parts of sentencesOf(verdict)) expect(parts.at(-1)!.text).toMatch(/[.!?…]$/);
        if (best !== null) expect(engines.map(({ row: { engine } }) => engine)).toContain(best);
      }),
    );
  });
});

describe('the rule that names an engine', () => {
  const candidate = (engine: string, change: Partial<Candidate> = {}): Candidate => ({
    engine,
    price: 100,
    changedFiles: { kept: 10, of: 10 },
    userMessages: { kept: 8, of: 8 },
    names: { kept: 100, of: 100 },
    isUsable: true,
    ...change,
  });
  const other = candidate('other');

  it.each<[expected: boolean, what: string, change: Partial<Candidate>]>([
    [true, 'a tenth cheaper', { price: 90 }],
    [false, 'less than a tenth cheaper', { price: 91 }],
    [true, 'cheaper, with a quarter of the names lost', { price: 90, names: { kept: 75, of: 100 } }],
    [false, 'cheaper, with more than a quarter of the names lost', { price: 50, names: { kept: 74, of: 100 } }],
    [true, 'cheaper, with a quarter of the user messages lost', { price: 90, userMessages: { kept: 6, of: 8 } }],
    [false, 'cheaper, with more of the user messages lost', { price: 50, userMessages: { kept: 5, of: 8 } }],
    [false, 'cheaper, with a changed file lost', { price: 50, changedFiles: { kept: 9, of: 10 } }],
    [false, 'the same', {}],
  ])('%s: %s', (expected, _, change) => {
    expect(isBetter(candidate('one', change), other)).toBe(expected);
  });

  it.each<[expected: boolean, what: string, less: Partial<Candidate>]>([
    [true, 'a tenth more of the names', { names: { kept: 90, of: 100 } }],
    [false, 'less than a tenth more of the names', { names: { kept: 91, of: 100 } }],
    [true, 'one more changed file', { changedFiles: { kept: 9, of: 10 } }],
    [true, 'more for a little more money', { price: 91, userMessages: { kept: 5, of: 8 } }],
    [false, 'more for a tenth more money', { price: 90, names: { kept: 90, of: 100 } }],
  ])('%s: keeps %s', (expected, _, less) => {
    expect(isBetter(other, candidate('one', less))).toBe(expected);
  });

  it('does not name an engine that keeps more of one thing and less of another', () => {
    const one = candidate('one', { names: { kept: 80, of: 100 } });
    const two = candidate('two', { userMessages: { kept: 5, of: 8 } });
    expect(bestEngine([one, two])).toBe(null);
  });

  it('names at most one engine, in any order, and never one that is not usable', () => {
    const kept = (of: number) => fc.nat(of).map((number) => ({ kept: number, of }));
    const any = fc.record({
      engine: fc.constant('one'),
      price: fc.nat(200),
      changedFiles: kept(10),
      userMessages: kept(8),
      names: kept(100),
      isUsable: fc.boolean(),
    });
    fc.assert(
      fc.property(fc.array(any, { minLength: 2, maxLength: 4 }), (candidates) => {
        const best = bestEngine(candidates);
        expect(bestEngine(candidates.toReversed())).toBe(best);
        for (const one of candidates)
          for (const two of candidates) expect(isBetter(one, two) && isBetter(two, one)).toBe(false);
        if (best) expect(best.isUsable).toBe(true);
      }),
    );
  });
});
