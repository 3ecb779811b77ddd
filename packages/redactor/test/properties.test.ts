import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { inspect, redact } from '../src/index.ts';
import { BARE_SURROUNDINGS, SPLITTING, SURROUNDINGS } from './surroundings.ts';
import { TOKENS } from './token-maker.ts';

const runs = process.env.PALIMPSEST_DEEP ? { numRuns: 5_000 } : { numRuns: 200 };

const token = fc.constantFrom(...Object.values(TOKENS));
const place = fc.constantFrom(...Object.values({ ...SURROUNDINGS, ...BARE_SURROUNDINGS, ...SPLITTING }));
/** Pieces of text that rules react to. */
const piece = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.constantFrom(
      'password',
      'API_KEY',
      'token',
      'secret',
      '=',
      ': ',
      ':',
      ' = ',
      '"',
      "'",
      '`',
      '\\"',
      '\\',
      '\n',
      '\\n',
      ' ',
      '&',
      '?',
      ';',
      ',',
      '://',
      '@',
      'Authorization: ',
      'Bearer ',
      'Cookie: ',
      'a=b;',
      '-----BEGIN RSA PRIVATE KEY-----',
      '-----END RSA PRIVATE KEY-----',
      '...',
      '***',
      '{',
      '}',
      '[',
      ']',
      '<token>',
      '</token>',
      '--password ',
      ' -u ',
      'curl',
      'mysql',
      ' -p',
      '\u001b[31m',
      '\u200b',
      '\0',
      '\u0301',
      '\u{e0041}',
      '%3D',
      '%0A',
      '%2522',
      '\\u003d',
      '\\u0022',
      '&quot;',
      '&#61;',
      '：',
      'postgres://u:',
      'eyJ',
      'sk-',
      'hunter2',
      '123456789012345678',
    ),
  },
  fc.string({ unit: 'grapheme', maxLength: 12 }),
  token,
  fc.tuple(place, token).map(([put, secret]) => put(secret)),
);
const text = fc.array(piece, { maxLength: 14 }).map((pieces) => pieces.join(''));

const check = (property: (input: string) => void): void => fc.assert(fc.property(text, property), runs);

describe('for every text', () => {
  it('masking twice is the same as masking once', () => {
    check((input) => {
      const once = redact(input);
      expect(redact(once)).toBe(once);
    });
  });

  it('the number of lines does not change', () => {
    check((input) => {
      expect(redact(input).split('\n').length).toBe(input.split('\n').length);
    });
  });

  it('findings are in ascending order, inside the text and without overlaps; without findings, the text is unchanged', () => {
    check((input) => {
      const findings = inspect(input);
      let from = 0;
      for (const { start, end } of findings) {
        expect(start).toBeGreaterThanOrEqual(from);
        expect(end).toBeGreaterThan(start);
        from = end;
      }
      expect(from).toBeLessThanOrEqual(input.length);
      // The reverse does not hold: redact may mask more than inspect finds, next to its own masks.
      if (findings.length === 0) expect(redact(input)).toBe(input);
    });
  });

  it('a finding does not contain the secret', () => {
    check((input) => {
      for (const finding of inspect(input)) {
        expect(Object.keys(finding).sort()).toEqual(['end', 'kind', 'start']);
        expect(input.slice(finding.start, finding.end)).not.toBe(finding.kind);
      }
    });
  });

  it('JSON stays valid JSON, whatever its strings contain', () => {
    const json = fc.oneof(
      fc.jsonValue(),
      fc.dictionary(
        fc.oneof(piece, fc.constantFrom('password', 'api_key', 'auth', 'x')),
        fc.oneof(text, fc.maxSafeInteger(), fc.boolean(), fc.constant(null)),
      ),
      fc.array(text),
    );
    fc.assert(
      fc.property(json, fc.integer({ min: 0, max: 3 }), fc.boolean(), (value, depth, isIndented) => {
        let written = JSON.stringify(value, null, isIndented ? 2 : undefined);
        for (let level = 0; level < depth; level += 1) written = JSON.stringify({ body: written });
        let read: unknown = JSON.parse(redact(written));
        for (let level = 0; level < depth; level += 1) read = JSON.parse((read as { body: string }).body);
      }),
      runs,
    );
  });

  it('a token is masked in any surroundings', () => {
    fc.assert(
      fc.property(text, place, token, text, (before, put, secret, after) => {
        // Separated by newlines: text directly next to a token may make it part of something else.
        const visibleOf = (input: string): string =>
          input.replace(/(?:\u001b|\\+u001b)\[[0-9;]*m|[\u200b\ufeff\u00ad]/g, '');
        const result = redact(`${before}\n\n${put(secret)}\n\n${after}`);
        expect(redact(put(secret))).not.toContain(secret);
        if (!visibleOf(`${before}\n${after}`).includes(secret) && !/["'`]/.test(before)) {
          expect(visibleOf(result)).not.toContain(secret);
        }
      }),
      runs,
    );
  });
});
