import { describe, expect, it } from 'vitest';
import { createRedactor, defineRule } from '../src/index.ts';
import { lower } from './token-maker.ts';

const acme = defineRule({ name: 'acme-key', keywords: ['acme_'], pattern: /\bacme_[a-z0-9]{12,40}/ });
const secret = `acme_${lower(24)}`;

describe('a rule of a user', () => {
  it('finds and masks what it describes', () => {
    const redactor = createRedactor({ rules: [acme] });
    expect(redactor.redact(`use ${secret} now`)).toBe(`use ${secret.slice(0, 6)}... now`);
    expect(redactor.inspect(`use ${secret} now`)).toEqual([{ kind: 'acme-key', start: 4, end: 4 + secret.length }]);
  });

  it('masks only its group named secret, with its own mask', () => {
    const rule = defineRule({
      name: 'badge',
      keywords: ['badge '],
      pattern: /badge (?<secret>\d{6})/,
      mask: '[BADGE]',
    });
    expect(createRedactor({ rules: [rule] }).redact('badge 123456, badge 654321')).toBe('badge [BADGE], badge [BADGE]');
  });

  it('may search with a function', () => {
    const rule = defineRule({
      name: 'after',
      keywords: ['pin '],
      scan: (text, at) => (/\d/.test(text[at + 4] ?? '') ? { start: at + 4, end: at + 8 } : null),
      mask: (found) => '#'.repeat(found.length),
    });
    expect(createRedactor({ rules: [rule] }).redact('pin 1234, pin none')).toBe('pin ####, pin none');
  });

  it('may be given as text', () => {
    const rule = defineRule({ name: 'text', keywords: ['acme_'], pattern: 'acme_[a-z0-9]{12,40}' });
    expect(createRedactor({ rules: [rule] }).redact(secret)).not.toContain(secret);
  });

  it.each([
    ['/acme_(?:[a-z]{4}-){3}x/', /acme_(?:[a-z]{4}-){3}x/],
    ['/acme-[a-z]+\\.[a-z]+!/', /acme-[a-z]+\.[a-z]+!/],
    ['/acme_\\w{20,}/', /acme_\w{20,}/],
    ['/(?:acme|emca)_\\d+/i', /(?:acme|emca)_\d+/i],
  ])('is accepted with %s', (_, pattern) => {
    expect(() => defineRule({ name: 'x', keywords: ['acme'], pattern })).not.toThrow();
  });

  it.each([
    ['nested repetition', /acme(a+)+$/, 'repeats a group that itself varies'],
    ['a choice that begins alike', /acme(?:a|ab)*c/, 'repeats a group that itself varies'],
    ['two neighbours of the same characters', /acme\w+\d+!/, 'two long repetitions'],
    ['an open beginning', /\s+acme/, 'begins with a long repetition'],
    ['bounds so wide that they bound nothing', /acme[a-z]{1,500}[a-z]{1,500}!/, 'two long repetitions'],
    ['many optional parts', /acmea?a?a?a?a?a?a?a?a?a?b/, 'too many variable parts'],
    ['a group that can be empty', /acme(?:a?)*b/, 'repeats a group that itself varies'],
    ['a reference back', /(acme)x\1/, 'refers back to a group'],
  ])('is refused for %s, with the reason', (_, pattern, reason) => {
    expect(() => defineRule({ name: 'slow', keywords: ['acme'], pattern })).toThrow(TypeError);
    expect(() => defineRule({ name: 'slow', keywords: ['acme'], pattern })).toThrow(reason);
    expect(() => createRedactor({ rules: [{ name: 'slow', keywords: ['acme'], pattern }] })).toThrow(
      'Rule "slow" is refused',
    );
  });

  it('is refused when its pattern does not compile', () => {
    expect(() => defineRule({ name: 'bad', keywords: ['acme'], pattern: '(acme' })).toThrow(
      /does not compile.*Unterminated group/,
    );
  });

  it('is refused without a literal keyword of two characters', () => {
    expect(() => defineRule({ name: 'none', keywords: [], pattern: /a/ })).toThrow('at least 2 characters');
    expect(() => defineRule({ name: 'short', keywords: ['a'], pattern: /a/ })).toThrow('at least 2 characters');
  });

  it('is refused with neither or both of pattern and scan, or a pattern that matches nothing', () => {
    expect(() => defineRule({ name: 'n', keywords: ['ab'] })).toThrow('either pattern or scan');
    expect(() => defineRule({ name: 'n', keywords: ['ab'], pattern: /ab/, scan: () => null })).toThrow(
      'either pattern or scan',
    );
    expect(() => defineRule({ name: 'n', keywords: ['ab'], pattern: /(?:ab)*/ })).toThrow('matches the empty text');
  });
});
