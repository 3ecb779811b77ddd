import fc from 'fast-check';
import { encode } from 'gpt-tokenizer/encoding/o200k_base';
import { describe, expect, it } from 'vitest';
import { loadExactTokenizer } from '../src/exact.ts';
import { estimateTokens } from '../src/index.ts';
import { texts } from './texts.ts';

const encodings = ['o200k_base', 'cl100k_base', 'claude', 'claude-4.7'] as const;

describe('estimateTokens', () => {
  it('returns a positive integer for any text, including lone surrogates', () => {
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

  it('returns 0 for an empty text and for values that are not strings', () => {
    for (const nothing of ['', undefined, null, 7, {}]) expect(estimateTokens(nothing as string)).toBe(0);
  });

  it('is deterministic, with and without sampling', () => {
    const long = texts.prose!.repeat(400);
    expect(estimateTokens(long)).toBe(estimateTokens(`${long.slice(0, 100)}${long.slice(100)}`));
  });

  it('hardly changes if two texts are joined by a line break', () => {
    const kinds = Object.values(texts);
    fc.assert(
      fc.property(fc.constantFrom(...kinds), fc.constantFrom(...kinds), (a, b) => {
        const apart = estimateTokens(a) + estimateTokens(b);
        expect(Math.abs(estimateTokens(`${a}\n${b}`) - apart)).toBeLessThanOrEqual(3);
      }),
    );
  });

  for (const encoding of ['o200k_base', 'cl100k_base'] as const) {
    it(`is close to the exact count of ${encoding} for every kind of text`, async () => {
      const exact = await loadExactTokenizer(encoding);
      const errors = Object.entries(texts).map(([kind, text]) => ({
        kind,
        error: estimateTokens(text, { encoding }) / exact(text) - 1,
      }));
      // A paragraph averages over less text than a message, so it may be further off than documented, especially over.
      for (const { kind, error } of errors)
        expect([kind, error > -0.2 && error < 0.35 ? 'near' : error]).toEqual([kind, 'near']);
      const mean = errors.reduce((sum, { error }) => sum + Math.abs(error), 0) / errors.length;
      expect(mean).toBeLessThan(0.1);
    });
  }

  it('estimates more tokens for Claude than for OpenAI, in line with bills', () => {
    for (const kind of ['prose', 'code', 'json', 'log', 'japanese', 'russian']) {
      const ratio = estimateTokens(texts[kind]!, { encoding: 'claude' }) / estimateTokens(texts[kind]!);
      expect(ratio, kind).toBeGreaterThan(1.08);
      expect(ratio, kind).toBeLessThan(2.6);
    }
  });

  it('samples large texts, within 3 % of the full estimate if they are homogeneous', () => {
    const paragraphs = [texts.prose!, texts.code!, texts.json!, texts.log!];
    const text = Array.from({ length: 2000 }, (_, at) => `${at} ${paragraphs[(at * 7 + (at >> 3)) % 4]}`).join('\n');
    let whole = 0;
    for (let from = 0; from < text.length; from += 50_000) whole += estimateTokens(text.slice(from, from + 50_000));
    expect(Math.abs(estimateTokens(text) / whole - 1)).toBeLessThan(0.03);
  });

  it('handles 50 MB', () => {
    const tokens = estimateTokens('All work and no play makes Jack a dull boy.\n'.repeat(1_200_000));
    expect(tokens).toBeGreaterThan(10_000_000);
    expect(tokens).toBeLessThan(18_000_000);
  });
});

describe('runs of one character', () => {
  // Compared with the exact count, no run is underestimated by more than 10 %, or overestimated more than four times.
  it.each([...'aexlsQAX0-=._*#/ \n\t\u00e9\u044b\u4e2d'].map((character) => [JSON.stringify(character), character]))(
    'of %s are neither grossly under- nor overestimated',
    (_name, character) => {
      for (const length of [100, 4_000, 300_000]) {
        const text = character.repeat(length);
        const exact = encode(text.slice(0, 4_000)).length * (length / Math.min(length, 4_000));
        expect(estimateTokens(text), `${length}`).toBeGreaterThanOrEqual(exact * 0.9 - 1);
        expect(estimateTokens(text), `${length}`).toBeLessThanOrEqual(exact * 4 + 4);
      }
    },
  );
  it('do not change the estimate of the text around them', () => {
    const words = 'A few words of prose that say nothing much. '.repeat(40);
    const apart = estimateTokens(words) * 2 + estimateTokens('-'.repeat(2_000));
    expect(Math.abs(estimateTokens(`${words}${'-'.repeat(2_000)}${words}`) - apart)).toBeLessThan(8);
  });
});
