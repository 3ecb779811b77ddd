import { generateKeyPairSync, type KeyObject } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { redact } from '../src/index.ts';
import { alphanumeric } from './token-maker.ts';

const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 });
const written = (key: KeyObject, type: string): string =>
  key.export({ type: type as 'pkcs8', format: 'pem' }).toString();
const keys: Readonly<Record<string, string>> = {
  'RSA, PKCS #1': written(rsa.privateKey, 'pkcs1'),
  'RSA, PKCS #8': written(rsa.privateKey, 'pkcs8'),
  'P-256, SEC 1': written(generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey, 'sec1'),
  'P-256, PKCS #8': written(generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey, 'pkcs8'),
  'P-384, PKCS #8': written(generateKeyPairSync('ec', { namedCurve: 'P-384' }).privateKey, 'pkcs8'),
  Ed25519: written(generateKeyPairSync('ed25519').privateKey, 'pkcs8'),
};

const base64 = (text: string): string => Buffer.from(text).toString('base64');
const folded = (text: string, width: number, indent = ''): string =>
  text.match(new RegExp(`.{1,${width}}`, 'g'))!.join(`\n${indent}`);
const bodyOf = (pem: string): string => pem.replace(/^---.*\n?/gm, '').trim();
const joined = (text: string): string => text.replaceAll('\n', '');

/** Ways to write a key without its header and footer. */
const forms: Readonly<Record<string, (pem: string) => string>> = {
  'its lines': bodyOf,
  'one line': (pem) => joined(bodyOf(pem)),
  'lines of another width': (pem) => folded(joined(bodyOf(pem)), 80),
  'numbered lines': (pem) => bodyOf(pem).replace(/^/gm, '7| '),
  'added lines of a diff': (pem) => bodyOf(pem).replace(/^/gm, '+'),
  'a JSON string': (pem) => JSON.stringify({ text: bodyOf(pem) }),
  'a JSON list': (pem) => JSON.stringify(bodyOf(pem).split('\n')),
  'base64 of the file': base64,
  'folded base64 of the file': (pem) => folded(base64(pem), 76),
  'an indented block in YAML': (pem) => `data: |\n    ${folded(base64(pem), 64, '    ')}`,
  'base64 of a file that contains it': (pem) => base64(`x${pem}`),
  'base64 of another file that contains it': (pem) => base64(`a\n${pem}`),
};

describe('a private key without header', () => {
  it.each(
    Object.entries(keys).flatMap(([name, pem]) =>
      Object.entries(forms).map(([form, write]) => [name, form, write(pem)] as const),
    ),
  )('is masked: %s, %s', (_, _form, key) => {
    const text = `first line\n${key}\nlast line of words\n`;
    const masked = redact(text);
    for (let at = 4; at + 20 <= key.length; at += 4) {
      const piece = key.slice(at, at + 20);
      if (/^[\w+/]{20}$/.test(piece)) expect(masked).not.toContain(piece);
    }
    expect(masked).toContain('last line of words');
    expect(masked.split('\n')).toHaveLength(text.split('\n').length);
    expect(redact(masked)).toBe(masked);
  });

  it('differs from a public key and from other base64', () => {
    const pem = rsa.publicKey.export({ type: 'spki', format: 'pem' }).toString();
    const other = base64('-----BEGIN CERTIFICATE-----\n'.repeat(4));
    for (const text of [pem, bodyOf(pem), base64(pem), folded(base64(pem), 76), other]) expect(redact(text)).toBe(text);
  });
});

describe('a dump', () => {
  const token = `ghp_${alphanumeric(36)}`;
  const file = `# settings of it\nGITHUB_TOKEN=${token}\nname=harmless words here and there\n`;
  const bytes = Buffer.from(file, 'latin1');
  const rows = Array.from({ length: Math.ceil(bytes.length / 16) }, (_, row) =>
    bytes.subarray(row * 16, row * 16 + 16),
  );
  const shown = (row: Buffer): string => row.toString('latin1').replace(/[^ -~]/g, '.');
  const pairs = (row: Buffer): string[] => [...row].map((byte) => byte.toString(16).padStart(2, '0'));
  const words = (row: Buffer, isSwapped: boolean): string[] =>
    pairs(row).flatMap((pair, at, all) => {
      if (at % 2 === 1) return [];
      return [isSwapped ? `${all[at + 1] ?? '00'}${pair}` : `${pair}${all[at + 1] ?? ''}`];
    });
  const offset = (row: number, radix = 16, width = 8): string => (row * 16).toString(radix).padStart(width, '0');
  const cell = (byte: number): string => {
    const character = String.fromCharCode(byte);
    return (character === '\n' ? '\\n' : character).padStart(4);
  };
  const dumps: Readonly<Record<string, string[]>> = {
    xxd: rows.map((row, at) => `${offset(at)}: ${words(row, false).join(' ').padEnd(39)}  ${shown(row)}`),
    'hexdump -C': rows.map((row, at) => {
      const halves = [pairs(row).slice(0, 8), pairs(row).slice(8)].map((half) => half.join(' '));
      return `${offset(at)}  ${halves.join('  ').padEnd(48)}  |${shown(row)}|`;
    }),
    hexdump: rows.map((row, at) => `${offset(at, 16, 7)} ${words(row, true).join(' ')}`),
    'od -tx1': rows.map((row, at) => `${offset(at, 8, 7)} ${pairs(row).join(' ')}`),
    'od -An -tx1': rows.map((row) => ` ${pairs(row).join(' ')}`),
    'od -c': rows.map((row, at) => `${offset(at, 8, 7)}${[...row].map(cell).join('')}`),
    'xxd -p': [bytes.toString('hex')].flatMap((hex) => hex.match(/.{1,60}/g)!),
  };

  it.each(Object.entries(dumps))('of %s shows no part of a token', (_, lines) => {
    const masked = redact(lines.join('\n'));
    const left = masked.split('\n');
    expect(left).toHaveLength(lines.length);
    // The first and the last line of the file hold nothing of the token, except in `xxd -p`.
    expect(left.at(-1)).toBe(lines.at(-1));
    expect(lines.filter((line, at) => line !== left[at]).length).toBeGreaterThanOrEqual(2);
    const hex = pairs(Buffer.from(token)).join('');
    const squeezed = masked.replace(/\s|\\/g, '');
    for (let at = 4; at + 6 <= token.length; at += 1) expect(squeezed).not.toContain(token.slice(at, at + 6));
    for (let at = 8; at + 12 <= hex.length; at += 2) expect(squeezed).not.toContain(hex.slice(at, at + 12));
    expect(redact(masked)).toBe(masked);
  });

  it('without a secret stays', () => {
    const harmless = rows
      .slice(0, 1)
      .flatMap(() => [
        '00000000: 4865 6c6c 6f2c 2077 6f72 6c64 2120 4f6b  Hello, world! Ok',
        '00000010  48 65 6c 6c 6f 2c 20 77  6f 72 6c 64 21 20 4f 6b  |Hello, world! Ok|',
        `${'d41d8cd98f00b204'.repeat(2)}  empty.txt`,
        '48656c6c6f2c20776f726c6421204f6b48656c6c6f2c2077',
      ]);
    expect(redact(harmless.join('\n'))).toBe(harmless.join('\n'));
  });
});
