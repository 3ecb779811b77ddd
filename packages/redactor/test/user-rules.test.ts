import { describe, expect, it } from 'vitest';
import { createRedactor, defineRule } from '../src/index.ts';
import { lower } from './token-maker.ts';

const acme = defineRule({ name: 'acme-key', keywords: ['acme_'], pattern: /\bacme_[a-z0-9]{12,40}/ });
const secret = `acme_${lower(24)}`;

describe('a custom rule', () => {
  it('finds and masks matches of its pattern', () => {
    const redactor = createRedactor({ rules: [acme] });
    expect(redactor.redact(`use ${secret} now`)).toBe(`use ${secret.slice(0, 6)}... now`);
    expect(redactor.inspect(`use ${secret} now`)).toEqual([{ kind: 'acme-key', start: 4, end: 4 + secret.length }]);
  });

  it('masks only the group named secret, with its own mask', () => {
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

  it('accepts a pattern as a string', () => {
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
    ['nested repetition', /acme(a+)+$/, 'repeats a group of variable content'],
    ['alternatives with the same beginning', /acme(?:a|ab)*c/, 'repeats a group of variable content'],
    ['two adjacent repetitions of the same characters', /acme\w+\d+!/, 'two long repetitions of the same characters'],
    ['a repetition at the beginning', /\s+acme/, 'begins with a long repetition'],
    ['very large bounds', /acme[a-z]{1,500}[a-z]{1,500}!/, 'two long repetitions of the same characters'],
    ['many optional parts', /acmea?a?a?a?a?a?a?a?a?a?b/, 'too many variable parts'],
    ['a group that can be empty', /acme(?:a?)*b/, 'repeats a group of variable content'],
    ['a backreference', /(acme)x\1/, 'contains a backreference'],
  ])('is rejected for %s, with the reason', (_, pattern, reason) => {
    expect(() => defineRule({ name: 'slow', keywords: ['acme'], pattern })).toThrow(TypeError);
    expect(() => defineRule({ name: 'slow', keywords: ['acme'], pattern })).toThrow(reason);
    expect(() => createRedactor({ rules: [{ name: 'slow', keywords: ['acme'], pattern }] })).toThrow(
      'Rule "slow" is invalid',
    );
  });

  it('is rejected if its pattern does not compile', () => {
    expect(() => defineRule({ name: 'bad', keywords: ['acme'], pattern: '(acme' })).toThrow(
      /does not compile.*Unterminated group/,
    );
  });

  it('is rejected without keywords of at least two characters', () => {
    expect(() => defineRule({ name: 'none', keywords: [], pattern: /a/ })).toThrow('at least 2 characters');
    expect(() => defineRule({ name: 'short', keywords: ['a'], pattern: /a/ })).toThrow('at least 2 characters');
  });

  it('is rejected with neither or both of pattern and scan, or a pattern that matches the empty string', () => {
    expect(() => defineRule({ name: 'n', keywords: ['ab'] })).toThrow('either pattern or scan');
    expect(() => defineRule({ name: 'n', keywords: ['ab'], pattern: /ab/, scan: () => null })).toThrow(
      'either pattern or scan',
    );
    expect(() => defineRule({ name: 'n', keywords: ['ab'], pattern: /(?:ab)*/ })).toThrow('matches the empty string');
  });
});
