import fc from 'fast-check';
import { encode } from 'gpt-tokenizer/encoding/o200k_base';
import { describe, expect, it } from 'vitest';
import { loadExactTokenizer } from '../src/exact.ts';
import { estimateTokens } from '../src/index.ts';
import { texts } from './texts.ts';

const encodings = ['o200k_base', 'cl100k_base', 'claude', 'claude-4.7'] as const;

describe('estimating text', () => {
  it('gives a whole number of at least one for any text, lone surrogates and all', () => {
    const anything = fc.oneof(
      fc.string({ unit: 'binary', minLength: 1 }),
      fc.array(fc.integer({ min: 0, max: 0xffff }), { minLength: 1 }).map((codes) => String.fromCharCode(...codes)),
    );
    fc.assert(
      fc.property(anything, fc.constantFrom(...encodings), (text, encoding) => {
        const tokens = estimateTokens(text, { encoding });
        expect(Number.isInteger(tokens) && tokens >= 1 && tokens <= 4 * text.length + 1).toBe(true);
      }),
    );
  });

  it('gives 0 for nothing, and for what is no text', () => {
    for (const nothing of ['', undefined, null, 7, {}]) expect(estimateTokens(nothing as string)).toBe(0);
  });

  it('gives the same for the same text, sampled or not', () => {
    const long = texts.prose!.repeat(400);
    expect(estimateTokens(long)).toBe(estimateTokens(`${long.slice(0, 100)}${long.slice(100)}`));
  });

  it('hardly changes when two texts are joined by a line break', () => {
    const kinds = Object.values(texts);
    fc.assert(
      fc.property(fc.constantFrom(...kinds), fc.constantFrom(...kinds), (a, b) => {
        const apart = estimateTokens(a) + estimateTokens(b);
        expect(Math.abs(estimateTokens(`${a}\n${b}`) - apart)).toBeLessThanOrEqual(3);
      }),
    );
  });

  for (const encoding of ['o200k_base', 'cl100k_base'] as const) {
    it(`is near the exact count of ${encoding}, and never far under it, for every kind of text`, async () => {
      const exact = await loadExactTokenizer(encoding);
      const errors = Object.entries(texts).map(([kind, text]) => ({
        kind,
        error: estimateTokens(text, { encoding }) / exact(text) - 1,
      }));
      // A paragraph has less to average over than a message, so single ones may be further off than the promise for kinds,
      // and further over than under.
      for (const { kind, error } of errors)
        expect([kind, error > -0.2 && error < 0.35 ? 'near' : error]).toEqual([kind, 'near']);
      const mean = errors.reduce((sum, { error }) => sum + Math.abs(error), 0) / errors.length;
      expect(mean).toBeLessThan(0.1);
    });
  }

  it('counts Claude higher than OpenAI, as Claude is billed', () => {
    for (const kind of ['prose', 'code', 'json', 'log', 'japanese', 'russian']) {
      const ratio = estimateTokens(texts[kind]!, { encoding: 'claude' }) / estimateTokens(texts[kind]!);
      expect(ratio, kind).toBeGreaterThan(1.08);
      expect(ratio, kind).toBeLessThan(2.6);
    }
  });

  it('samples what is very large, and stays within 3 % of reading it all when it is alike throughout', () => {
    const paragraphs = [texts.prose!, texts.code!, texts.json!, texts.log!];
    const text = Array.from({ length: 2000 }, (_, at) => `${at} ${paragraphs[(at * 7 + (at >> 3)) % 4]}`).join('\n');
    let whole = 0;
    for (let from = 0; from < text.length; from += 50_000) whole += estimateTokens(text.slice(from, from + 50_000));
    expect(Math.abs(estimateTokens(text) / whole - 1)).toBeLessThan(0.03);
  });

  it('takes 50 MB in its stride', () => {
    const tokens = estimateTokens('All work and no play makes Jack a dull boy.\n'.repeat(1_200_000));
    expect(tokens).toBeGreaterThan(10_000_000);
    expect(tokens).toBeLessThan(18_000_000);
  });
});

describe('runs of one character', () => {
  // Against the exact count: no run is under by more than 10 %, and none is over by more than four times.
  it.each([...'aexlsQAX0-=._*#/ \n\t\u00e9\u044b\u4e2d'].map((character) => [JSON.stringify(character), character]))(
    'of %s are neither taken for little nor for much',
    (_name, character) => {
      for (const length of [100, 4_000, 300_000]) {
        const text = character.repeat(length);
        const exact = encode(text.slice(0, 4_000)).length * (length / Math.min(length, 4_000));
        expect(estimateTokens(text), `${length}`).toBeGreaterThanOrEqual(exact * 0.9 - 1);
        expect(estimateTokens(text), `${length}`).toBeLessThanOrEqual(exact * 4 + 4);
      }
    },
  );
  it('do not change what stands around them', () => {
    const words = 'A few words of prose that say nothing much. '.repeat(40);
    const apart = estimateTokens(words) * 2 + estimateTokens('-'.repeat(2_000));
    expect(Math.abs(estimateTokens(`${words}${'-'.repeat(2_000)}${words}`) - apart)).toBeLessThan(8);
  });
});
