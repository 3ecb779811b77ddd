import { PalimpsestError } from '@palimpsest/core';
import { describe, expect, it } from 'vitest';
import { createExactTokenCounter, loadExactTokenizer } from '../src/exact.ts';
import { loadPeer } from '../src/load-peer.ts';
import { texts } from './texts.ts';

describe('exact counting', () => {
  it('counts like the vocabulary', async () => {
    const o200k = await loadExactTokenizer();
    const cl100k = await loadExactTokenizer('cl100k_base');
    expect(o200k('Hello, world!')).toBe(4);
    expect(o200k('')).toBe(0);
    expect(cl100k(texts.hindi!)).toBeGreaterThan(o200k(texts.hindi!) * 2);
  });

  it('is also exact for long texts', async () => {
    const count = await loadExactTokenizer();
    const text = `${texts.prose}\n`.repeat(300);
    expect(count(text)).toBe(count(`${texts.prose}\n`) * 300);
  });

  it('handles long unbroken runs of emoji or letters', async () => {
    const count = await loadExactTokenizer();
    for (const run of ['😀', 'a', 'ก', ' ']) {
      const perThousand = count(run.repeat(1000));
      expect(count(run.repeat(40_000))).toBeLessThanOrEqual(perThousand * 40 * 1.05 + 10);
    }
  });

  it('cuts only long runs, at any position', async () => {
    const { countTokens } = await import('gpt-tokenizer/encoding/o200k_base');
    const count = await loadExactTokenizer();
    const inPieces = (length: number): number =>
      Math.floor(length / 1024) * countTokens('-'.repeat(1024)) + countTokens(`${'-'.repeat(length % 1024)}\n b c.`);
    for (const before of [0, 1, 510, 511, 512, 513, 1023, 1500])
      for (const length of [1024, 1025, 2047, 3000]) {
        const head = 'x 1'.repeat(before).slice(0, before).replace(/.$/, '\n');
        expect(count(`${head}${'-'.repeat(length)}\n b c.`), `${before}, ${length}`).toBe(
          count(head) + inPieces(length),
        );
        expect(count(`${head}${'-'.repeat(1023)}\n b c.`)).toBe(countTokens(`${head}${'-'.repeat(1023)}\n b c.`));
      }
  });

  it('prices messages and images like the estimating counter', async () => {
    const counter = await createExactTokenCounter({ binaryCost: () => 321 });
    expect(counter.measureRequest({ messages: [{ role: 'user', content: [{ type: 'image_url' }] }] }).images).toBe(321);
  });

  it('rejects an encoding without a public vocabulary', async () => {
    const refused = await loadExactTokenizer('claude' as 'o200k_base').catch((error: unknown) => error);
    expect(PalimpsestError.is(refused) && refused.code).toBe('OPTION_INVALID');
  });

  it('says what to install if a package is missing', async () => {
    const missing = () => import('a-package-that-is-not-there' as string);
    const refused = await loadPeer('gpt-tokenizer', 'Counting tokens exactly', missing).catch(
      (error: unknown) => error,
    );
    expect(PalimpsestError.is(refused) && [refused.code, refused.message]).toEqual([
      'DEPENDENCY_MISSING',
      expect.stringContaining('npm install gpt-tokenizer'),
    ]);
  });
});
