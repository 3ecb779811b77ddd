import { describe, expect, it } from 'vitest';
import { redact } from '../src/index.ts';
import { createScanner } from '../src/scan/scan.ts';

/** Inputs that make careless scanners slow, each repeated to fill a text. */
const ADVERSARIES: Readonly<Record<string, string>> = {
  letters: 'a',
  schemes: '://',
  'at signs': '@',
  equals: '=',
  quotes: '"',
  'escaped quotes': '\\"',
  'PEM headers': '-----BEGIN',
  'whole PEM headers': '-----BEGIN RSA PRIVATE KEY-----\n',
  'PEM footers': '-----END RSA PRIVATE KEY-----\n',
  'PEM lines': `-----BEGIN PRIVATE KEY-----\n${'a1B2c3D4'.repeat(8)}\n`,
  'PuTTY headers': 'Private-Lines: 1\n',
  'JWT heads': 'eyJ',
  spaces: ' ',
  backslashes: '\\',
  mixed: '://@="\\"-----BEGIN eyJ a',
  'unspaced names': 'token=',
  names: 'password: ',
  'names in a sentence': 'the token of ',
  'opened quotes': 'token="',
  'name parts': 'key_',
  prefixes: 'sk-',
  'open userinfo': 'http://a@',
  headers: 'authorization: digest ',
  cookies: 'Cookie: a=b;',
  commands: 'curl -u ',
  colours: '\u001b[0m',
  'wrapped tokens': 'sk-a1B2c3D4e5F6g7H8i9J0\n',
  braces: '{"token":',
  'continued lines': 'sk-a1B2c3D4e5\\\n  ',
  'narrow lines': 'ghp_a1B2c3X9\n',
  'keys in base64': 'LS0tLS1CRUdJTi',
  'lines of keys in base64': `${Buffer.from('-----BEGIN PRIVATE KEY-----').toString('base64')}\n`,
  'bodies of keys': 'MIIEpAIBAAKC',
  'lines of dumps': '00000000: 6768 705f 6131\n',
  'pairs of hex digits': '67 68 ',
  'cells of octal dumps': '0000000   a   b\n',
  'quoted users': `curl -u 'a':"b" `,
  'list numbers': `${'a1b2c3d4'.repeat(4)}-us1`,
};

/** Prefixes in a row, each of which may begin a long token. */
const PREFIXES: readonly string[] = [
  'ghp_',
  'fo1_ghs_',
  'dckr_ghp_',
  'glagent-key_',
  'key__:A',
  'eyJ-',
  'eyJ-a.',
  'pbkdf2_shask-',
  '$1$',
  `${'a'.repeat(44)}ghp_ghp_\n`,
];

const SMALL = 1 << 14;
const LARGE = 1 << 18;

/** Median of three runs, in milliseconds of the processor: other processes do not count. */
function time(text: string): number {
  const times = [0, 1, 2].map(() => {
    const start = process.cpuUsage();
    redact(text);
    return process.cpuUsage(start).user / 1000;
  });
  return times.sort((a, b) => a - b)[1]!;
}

describe('redact takes linear time', () => {
  // For 16 times the text, linear time is 16 times as long and quadratic time 256 times. The bound leaves room for noise.
  it.each(Object.entries(ADVERSARIES))('for %s', { retry: 2 }, (_, unit) => {
    const fill = (size: number): string => unit.repeat(Math.ceil(size / unit.length));
    redact(fill(SMALL));
    const small = Math.max(time(fill(SMALL)), 0.5);
    expect(time(fill(LARGE)) / small).toBeLessThan(100);
  });
});

describe('redact takes no longer for prefixes in a row than for a file full of secrets', () => {
  const file = `OPENAI_API_KEY=sk-${'a1B2c3D4e5F6g7H8i9J0k1L2'}\nDB_PASSWORD=hunter2x\n`;
  const fill = (unit: string): string => unit.repeat(Math.ceil(LARGE / 2 / unit.length));

  it.each(PREFIXES)('%j', { retry: 2 }, (prefix) => {
    redact(fill(file).slice(0, SMALL));
    redact(fill(prefix).slice(0, SMALL));
    expect(time(fill(prefix)) / time(fill(file))).toBeLessThan(5);
  });
});

describe('createScanner', () => {
  it('reports the index of each keyword, and ignores case unless the keyword is case-sensitive', () => {
    const hits: string[] = [];
    const scan = createScanner([
      { literal: 'Token', caseSensitive: false },
      { literal: 'AK', caseSensitive: true },
      { literal: '://', caseSensitive: true },
    ]);
    scan('AK TOKEN ak http://é tokEN', ({ literal }, at) => hits.push(`${literal}@${at}`));
    expect(hits).toEqual(['AK@0', 'Token@3', '://@16', 'Token@21']);
  });

  it('finds a keyword at the very start and the very end, and after non-ASCII text', () => {
    const scan = createScanner([{ literal: 'xyz', caseSensitive: true }]);
    const at: number[] = [];
    scan('xyz ключ xyz', (_, index) => at.push(index));
    expect(at).toEqual([0, 9]);
  });
});
