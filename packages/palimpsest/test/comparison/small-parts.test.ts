import { existsSync, lstatSync, readdirSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { coloursFor } from '@palimpsest/command-line/terminal';
import { parseTokens } from '@palimpsest/eval/engines/parse-tokens';
import { openAtomic } from '@palimpsest/eval/output/atomic-file';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { tokenAmount } from '../../src/printing/token-amount.ts';
import { chooseWindow } from '../../src/replay/window-choice.ts';
import { scratchFolder } from './scratch.ts';

const folder = scratchFolder();

describe('token amounts', () => {
  it.each([
    ['128k', 128_000],
    ['1.5M', 1_500_000],
    ['200000', 200_000],
    ['200,000', 200_000],
    [' 32K ', 32_000],
  ])('reads %s as %i', (text, tokens) => {
    expect(parseTokens(text)).toBe(tokens);
  });

  it.each(['', 'k', '12kb', '-1k', '1e9', '0x10', 'NaN', '999', '101m', '1.2.3k', '٣k'])('refuses %j', (text) => {
    expect(() => parseTokens(text)).toThrow(/Write a number of tokens/);
  });

  it('reads what it writes', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1_000, max: 100_000_000 }), (tokens) => {
        expect(parseTokens(tokenAmount(tokens))).toBe(tokens);
      }),
    );
  });
});

describe('the window', () => {
  it('is the largest one that the transcript outgrows', () => {
    expect(chooseWindow(201_000)).toEqual({ tokens: 200_000, by: 'outgrown' });
    expect(chooseWindow(200_000)).toEqual({ tokens: 128_000, by: 'outgrown' });
    expect(chooseWindow(10_000)).toEqual({ tokens: 8_000, by: 'outgrown' });
    expect(chooseWindow(3_000)).toEqual({ tokens: 8_000, by: 'smallest' });
    expect(chooseWindow(10_000, 48_000)).toEqual({ tokens: 48_000, by: 'given' });
  });
});

describe('what is printed', () => {
  it('is coloured on a terminal that allows it, and where it is forced', () => {
    expect(coloursFor({ isTTY: true }, {}).isColorSupported).toBe(true);
    expect(coloursFor({ isTTY: true }, { NO_COLOR: '1' }).isColorSupported).toBe(false);
    expect(coloursFor({ isTTY: true }, { TERM: 'dumb' }).isColorSupported).toBe(false);
    expect(coloursFor({}, { CI: '1' }).isColorSupported).toBe(false);
    expect(coloursFor({}, { FORCE_COLOR: '1' }).isColorSupported).toBe(true);
    expect(coloursFor({}, { FORCE_COLOR: '1', NO_COLOR: '1' }).isColorSupported).toBe(false);
    expect(coloursFor({ isTTY: true }, { FORCE_COLOR: '0' }).isColorSupported).toBe(false);
  });
});

describe('an atomic file', () => {
  const names = (): string[] => readdirSync(folder.path).sort();

  it('is written completely or not at all', () => {
    const file = openAtomic('a.txt', folder.path);
    file.write('one, ');
    expect(existsSync(join(folder.path, 'a.txt'))).toBe(false);
    file.write('two');
    file.commit();
    file.discard();
    expect(readFileSync(join(folder.path, 'a.txt'), 'utf8')).toBe('one, two');
    const other = openAtomic('a.txt', folder.path);
    other.write('three');
    other.discard();
    expect(readFileSync(join(folder.path, 'a.txt'), 'utf8')).toBe('one, two');
    expect(names()).toEqual(['a.txt']);
  });

  it('follows a link and keeps it', () => {
    folder.write('target.txt', 'old');
    symlinkSync('target.txt', join(folder.path, 'link.txt'));
    const file = openAtomic('link.txt', folder.path);
    file.write('new');
    file.commit();
    expect(lstatSync(join(folder.path, 'link.txt')).isSymbolicLink()).toBe(true);
    expect(readFileSync(join(folder.path, 'target.txt'), 'utf8')).toBe('new');
  });
});
