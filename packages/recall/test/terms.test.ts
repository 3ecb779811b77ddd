import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { TermIndex } from '../src/search/term-index.ts';
import { eachTerm } from '../src/search/terms.ts';
import { codesOf } from '../src/search/text-codes.ts';
import { compilePattern } from '../src/tools/answer-expand.ts';

function termsOf(text: string): string[] {
  const terms: string[] = [];
  eachTerm(codesOf(text), text.length, (from, to) => terms.push(text.slice(from, to)));
  return terms;
}

describe('the terms of a text', () => {
  it.each([
    [
      'see src/userStore.test.ts.',
      ['see', 'src/userStore.test.ts', 'src', 'userStore', 'user', 'Store', 'test', 'ts', 'userStore.test.ts'],
    ],
    ['parseHTMLText', ['parseHTMLText', 'parse', 'HTML', 'Text']],
    ['MAX_RETRY_COUNT', ['MAX_RETRY_COUNT', 'MAX', 'RETRY', 'COUNT']],
    ['"--dry-run"', ['dry-run', 'dry', 'run']],
    ['part 0, step-7 of x', ['part', '0', 'step-7', 'step', '7', 'of']],
    ['größe über', ['gr', 'öße', 'über']],
    ['日本語', ['日', '本', '日本', '語', '本語']],
  ])('%s', (text, terms) => {
    expect(termsOf(text)).toEqual(terms);
  });

  it('are ranges of any text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 300 }), (text) => {
        eachTerm(codesOf(text), text.length, (from, to) => {
          expect(from).toBeLessThan(to);
          expect(to).toBeLessThanOrEqual(text.length);
        });
      }),
    );
  });
});

describe('the index of terms', () => {
  const word = fc.constantFrom('alpha', 'beta', 'gammaDelta', 'src/a.ts', 'B_7', 'zürich', '漢字');
  it('finds exactly the texts that share a term with the query and were not removed', () => {
    const texts = fc.array(fc.array(word, { maxLength: 6 }), { minLength: 1, maxLength: 30 });
    fc.assert(
      fc.property(texts, word, fc.array(fc.nat(29)), (lists, query, removed) => {
        const index = new TermIndex();
        for (const list of lists) index.add(list.join(' '));
        for (const id of removed) index.remove(id);
        const wanted = new Set(termsOf(query).map((term) => term.toLowerCase()));
        const scores = index.search(query);
        lists.forEach((list, id) => {
          const shares = termsOf(list.join(' ')).some((term) => wanted.has(term.toLowerCase()));
          expect(scores[id]! > 0).toBe(shares && !removed.includes(id));
        });
      }),
    );
  });

  it('grows to many terms without losing one', () => {
    const index = new TermIndex();
    for (let at = 0; at < 5000; at++) index.add(`name${at} other${at}`);
    for (let at = 0; at < 5000; at += 7) expect(index.search(`OTHER${at}`).findIndex((score) => score > 0)).toBe(at);
  });
});

describe('a pattern', () => {
  it('with * matches what a search piece by piece finds, for any text', () => {
    const letters = fc.string({ unit: fc.constantFrom('a', 'b', 'C', '*', '|', '(', '+'), maxLength: 12 });
    fc.assert(
      fc.property(letters, letters, (pattern, text) => {
        const escaped = (piece: string): string => piece.replace(/[^a-z]/gi, String.raw`\$&`);
        const alternatives = pattern.split('|').map((one) => one.split('*').filter((piece) => piece !== ''));
        const expected = alternatives.some(
          (pieces) => pieces.length > 0 && new RegExp(pieces.map(escaped).join('.*'), 'i').test(text),
        );
        fc.pre(alternatives.length <= 8);
        expect(compilePattern(pattern)(text.toLowerCase()) >= 0).toBe(expected);
      }),
    );
  });
});
