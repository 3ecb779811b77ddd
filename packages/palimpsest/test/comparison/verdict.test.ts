import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { bestEngine, type Candidate, isBetter } from '../../src/comparison/verdict/better-engine.ts';
import { type JudgedEngine, verdictOn } from '../../src/comparison/verdict.ts';
import type { ReplaySizes } from '../../src/replay/replay.ts';
import { examplePrices } from '../../src/replay/replay-cost.ts';

const nothingLost = {
  userMessages: { kept: 6, of: 6 },
  changedFiles: { kept: 14, of: 14, lost: [] },
  names: { kept: 23, of: 23, lost: [] },
};

function row(engine: string, changed: Partial<JudgedEngine['row']> = {}): JudgedEngine['row'] {
  return {
    engine,
    outcome: 'compacted',
    reachedThreshold: true,
    fitsWindow: true,
    tokensAfter: 31_000,
    kept: nothingLost,
    taskKept: true,
    wireViolations: 0,
    ...changed,
  };
}

/** A replay of some requests that share nothing, so that each token costs as much as one written to the cache. */
function replayed(requests: number, tokens: number, compactions: number, refusals = 0): ReplaySizes {
  return {
    sent: Array.from({ length: requests }, () => tokens),
    shared: Array.from({ length: requests }, () => 0),
    compactions: Array.from({ length: compactions }, (_, turn) => ({ turn, page: null })),
    refusals,
  };
}

const judge = (engines: readonly JudgedEngine[], recorded: ReplaySizes | null = null) =>
  verdictOn({ windowTokens: 200_000, engines, recorded, prices: examplePrices });

describe('the verdict', () => {
  const threeLost = { ...nothingLost, names: { kept: 20, of: 23, lost: ['one.md', 'two.md', 'three.md'] } };
  const wordsLost = { ...nothingLost, userMessages: { kept: 3, of: 6 } };

  it('names the cheaper engine if it keeps about as much, and says when to choose the other', () => {
    const { text, best, sentences } = judge(
      [
        { row: row('prune-compact'), replay: replayed(10, 80_000, 2) },
        { row: row('compressor', { kept: threeLost }), replay: replayed(10, 64_000, 3) },
      ],
      replayed(10, 220_000, 0),
    );
    expect(text).toBe(
      'Without compaction, 10 of 10 requests would not fit the window; with each engine, all do. ' +
        'compressor is cheaper: $2.40 instead of $3.00. ' +
        'Choose prune-compact if exact names matter more. ' +
        'prune-compact keeps all of them; compressor loses 3 of the 23 exact names ' +
        '(one.md, two.md and 1 more). The agent can look up what is lost with its tool recall.',
    );
    expect(best).toBe('compressor');
    const named = sentences.slice(1, 3).map((words) => words.filter(({ kind }) => kind !== 'text'));
    expect(named).toEqual([[{ kind: 'winner', text: 'compressor' }], [{ kind: 'engine', text: 'prune-compact' }]]);
  });

  it('names the engine that keeps more if both cost about the same', () => {
    const { text, best } = judge([
      { row: row('compressor', { kept: wordsLost }), replay: replayed(10, 74_000, 3) },
      { row: row('prune-compact'), replay: replayed(10, 80_000, 2) },
    ]);
    expect(best).toBe('prune-compact');
    expect(text).toContain('prune-compact keeps more for about the same cost.');
    expect(text).toContain('Choose compressor if cost matters more.');
    expect(text).toContain('compressor loses 3 of the 6 user messages; prune-compact keeps all of them');
  });

  it('names no winner if the cheaper engine keeps much less, or if nothing decides', () => {
    const cheap = { row: row('compressor', { kept: wordsLost }), replay: replayed(10, 60_000, 3) };
    const conflict = judge([cheap, { row: row('prune-compact'), replay: replayed(10, 80_000, 2) }]);
    expect(conflict.best).toBe(null);
    expect(conflict.text).toContain(
      'Either works: compressor costs 25 % less and prune-compact keeps 3 more messages of the user.',
    );
    const three = judge([
      cheap,
      { row: row('prune-compact'), replay: replayed(10, 80_000, 2) },
      { row: row('native'), replay: replayed(10, 80_000, 2) },
    ]);
    expect(three.text).toContain(
      'Each of them works: compressor costs 25 % less than native and prune-compact and native keep 3 more messages of the user than compressor.',
    );
    const same = judge([
      { row: row('compressor'), replay: replayed(10, 72_000, 3) },
      { row: row('prune-compact'), replay: replayed(10, 75_000, 1) },
    ]);
    expect(same.best).toBe(null);
    expect(same.text).toBe('Either works: compressor costs 4 % less.');
  });

  it('says first what engines gain over none', () => {
    const over = judge(
      [
        { row: row('compressor'), replay: replayed(10, 95_000, 1) },
        { row: row('mine', { fitsWindow: false }), replay: replayed(10, 210_000, 1) },
      ],
      { ...replayed(10, 150_000, 0), sent: [...Array.from({ length: 8 }, () => 150_000), 201_000, 202_000] },
    );
    expect(over.text).toMatch(
      /^Without compaction, 2 of 10 requests would not fit the window; with compressor, all do\. /,
    );
    const fits = judge([{ row: row('compressor'), replay: replayed(10, 95_000, 1) }], replayed(10, 190_000, 0));
    expect(fits.text).toMatch(/^Every request fits the window, and compressor saves 50 % of the cost\. /);
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
      /^No engine is needed so far: every request fits the window, and no engine saves 10 % of the cost\./,
    );
  });

  it('names what only one engine loses', () => {
    const lossy = row('compressor', {
      kept: {
        userMessages: { kept: 5, of: 6 },
        changedFiles: { kept: 12, of: 14, lost: ['src/a.ts', 'src/b.ts'] },
        names: { kept: 17, of: 23, lost: ['src/a.ts', 'one.md', 'two.md', 'three.md', 'four.md', 'five.md'] },
      },
    });
    const { text, sentences } = judge([
      { row: lossy, replay: null },
      { row: row('prune-compact'), replay: null },
    ]);
    expect(text).toContain(
      'compressor loses 1 of the 6 user messages, 2 of the 14 changed files (src/a.ts and src/b.ts) and ' +
        '6 of the 23 exact names (one.md, two.md and 4 more); ' +
        'prune-compact keeps all of them.',
    );
    expect(sentences.flat().filter(({ kind }) => kind === 'name')).toHaveLength(4);
  });

  it('says when an engine would not run yet', () => {
    const waiting = { outcome: 'unchanged', reachedThreshold: false } as const;
    const below = [
      { row: row('compressor', waiting), replay: replayed(3, 9_000, 0) },
      { row: row('prune-compact', waiting), replay: replayed(3, 9_000, 0) },
    ];
    expect(judge(below, replayed(3, 9_000, 0))).toMatchObject({
      text: 'No engine would run yet.',
      best: null,
    });
    // The engine that waits is compared, too: it sends the session whole.
    const { text, best } = judge([{ row: row('compressor'), replay: replayed(3, 6_000, 1) }, below[1]!]);
    expect(best).toBe('compressor');
    expect(text).toMatch(/^compressor is cheaper: \$0\.\d{3} instead of \$0\.\d{3}\./);
  });

  it('does not name an engine that fails, finds nothing, or breaks the contract', () => {
    const { text, best } = judge([
      { row: row('forgetful', { outcome: 'failed' }), replay: null },
      { row: row('idle', { outcome: 'unchanged' }), replay: replayed(2, 1_000, 0, 1) },
      { row: row('careless', { taskKept: false, wireViolations: 2 }), replay: replayed(2, 1_000, 1) },
      { row: row('large', { fitsWindow: false, tokensAfter: 250_000 }), replay: replayed(2, 250_000, 1) },
      { row: row('sound'), replay: replayed(2, 100_000, 1) },
    ]);
    expect(best).toBe('sound');
    for (const words of [
      'sound is the only one whose prompts a provider accepts.',
      'careless loses the task',
      'sound keeps all of them',
    ])
      expect(text).toContain(words);
    const none = judge([{ row: row('large', { fitsWindow: false }), replay: replayed(2, 250_000, 1) }]);
    expect(none).toMatchObject({ best: null });
    expect(none.text).toMatch(/^No engine leaves prompts that a provider accepts\./);
  });

  it('says what a single engine loses', () => {
    const { text, best } = judge([{ row: row('compressor', { outcome: 'unchanged' }), replay: replayed(2, 1_000, 0) }]);
    expect(text).toBe('compressor keeps every message of the user, changed file and exact name.');
    expect(best).toBe(null);
  });

  it('compares sizes when nothing was replayed', () => {
    const { text, best } = judge([
      { row: row('compressor'), replay: null },
      { row: row('prune-compact', { tokensAfter: 62_000 }), replay: null },
    ]);
    expect(text).toBe('compressor leaves less: 31,000 instead of 62,000 tokens.');
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
        outcome: fc.constantFrom('compacted', 'degraded', 'unchanged', 'aborted', 'failed'),
        reachedThreshold: fc.boolean(),
        fitsWindow: fc.boolean(),
        tokensAfter: fc.nat(1_000_000),
        kept: fc.record({ userMessages: share, changedFiles: named, names: named }),
        taskKept: fc.boolean(),
        wireViolations: fc.nat(3),
      }),
      replay: fc.option(fc.tuple(fc.nat(3), fc.nat(300_000), fc.nat(4)).map((sizes) => replayed(...sizes))),
    });
    fc.assert(
      fc.property(fc.array(judged, { minLength: 1, maxLength: 4 }), (engines) => {
        const verdict = judge(engines as JudgedEngine[], replayed(2, 1_000, 0));
        const { text, best } = verdict;
        expect(text).not.toMatch(/undefined|NaN|Infinity| {2}| [.,;]|\.\.|[a-z]\$/);
        for (const parts of verdict.sentences) expect(parts.at(-1)!.text).toMatch(/[.!?…]$/);
        if (best !== null) expect(engines.map(({ row: { engine } }) => engine)).toContain(best);
      }),
    );
  });
});

describe('the rule that names an engine', () => {
  type Change = Partial<Candidate['kept']> & { readonly price?: number };
  const candidate = (engine: string, { price = 100, ...kept }: Change = {}): Candidate => ({
    engine,
    price,
    kept: {
      changedFiles: { kept: 10, of: 10 },
      userMessages: { kept: 8, of: 8 },
      names: { kept: 100, of: 100 },
      ...kept,
    },
    isUsable: true,
  });
  const other = candidate('other');

  it.each<[expected: boolean, what: string, change: Change]>([
    [true, 'a tenth cheaper', { price: 90 }],
    [false, 'less than a tenth cheaper', { price: 91 }],
    [true, 'cheaper, with names lost that search finds', { price: 90, names: { kept: 20, of: 100 } }],
    [true, 'cheaper, with a quarter of the user messages lost', { price: 90, userMessages: { kept: 6, of: 8 } }],
    [false, 'cheaper, with more of the user messages lost', { price: 50, userMessages: { kept: 5, of: 8 } }],
    [false, 'cheaper, with a changed file lost', { price: 50, changedFiles: { kept: 9, of: 10 } }],
    [false, 'the same', {}],
  ])('%s: %s', (expected, _, change) => {
    expect(isBetter(candidate('one', change), other)).toBe(expected);
  });

  it.each<[expected: boolean, what: string, less: Change]>([
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
      kept: fc.record({ changedFiles: kept(10), userMessages: kept(8), names: kept(100) }),
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
