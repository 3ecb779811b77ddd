import { describe, expect, it } from 'vitest';
import { inspect, redact } from '../src/index.ts';
import { BARE_SURROUNDINGS, SPLITTING, SURROUNDINGS } from './surroundings.ts';
import { alphanumeric, NAMES, TOKENS } from './token-maker.ts';

const stripped = (text: string): string =>
  text.replace(/(?:\u001b|\\u001b)\[[0-9;]*m|[\u200b\ufeff\u00ad]/g, '').replace(/\\?\r?\n/g, '');

describe.each(Object.entries(TOKENS))('%s', (_, token) => {
  it.each(Object.entries({ ...SURROUNDINGS, ...BARE_SURROUNDINGS }))('is found in %s', (_place, put) => {
    const text = put(token);
    const result = redact(text);
    expect(result).not.toContain(token);
    expect(result.split('\n')).toHaveLength(text.split('\n').length);
    expect(redact(result)).toBe(result);
    for (const finding of inspect(text)) expect(JSON.stringify(finding)).not.toContain(token);
  });

  it.each(Object.entries(SPLITTING))('is found split by %s', (_place, put) => {
    const result = redact(put(token));
    expect(stripped(result)).not.toContain(token);
    expect(stripped(result)).not.toContain(token.slice(-12));
  });

  it('is found split by a soft wrap, and the number of lines is unchanged', () => {
    const lead = 'x'.repeat(Math.max(2, 78 - Math.ceil(token.length / 2)));
    const cut = Math.ceil(token.length / 2) + 2;
    const text = `${lead} ${token.slice(0, cut)}\n${token.slice(cut)}\nnext line`;
    const result = redact(text);
    expect(stripped(result)).not.toContain(token);
    expect(result).not.toContain(token.slice(cut));
    expect(result.split('\n')).toHaveLength(3);
  });

  it('is found in source code', () => {
    expect(redact(`const client = new Client("${token}");`, { codeFile: true })).not.toContain(token);
  });

  it('is not found inside a word', () => {
    const text = `x${token.slice(0, 10)}`;
    expect(redact(text)).toBe(text);
  });
});

describe.each(NAMES)('a value named %s', (name) => {
  const value = alphanumeric(32);
  const places: Readonly<Record<string, string>> = {
    env: `${name}=${value}`,
    'spaced assignment': `${name} = ${value}`,
    'quoted assignment': `${name} = "${value}"`,
    YAML: `  ${name}: ${value}`,
    'quoted YAML': `  ${name}: '${value}'`,
    JSON: JSON.stringify({ [name]: value }),
    'escaped JSON': JSON.stringify(JSON.stringify({ [name]: value })),
    'Python dict': `{'${name}': '${value}', 'x': 1}`,
    hash: `"${name}" => "${value}"`,
    flag: `run --${name} ${value} -v`,
    'flag with =': `run --${name}=${value}`,
    query: `https://h.example.com/p?a=1&${name}=${value}&b=2`,
    diff: `+  ${name}: ${value}`,
    typed: `const ${name}: string = "${value}";`,
    coloured: `\u001b[36m${name}\u001b[0m=\u001b[33m${value}\u001b[0m`,
    call: `setProperty("${name}", "${value}")`,
  };
  it.each(Object.entries(places))('is found as %s', (_, text) => {
    const result = redact(text);
    expect(result).not.toContain(value);
    expect(result).toContain(name);
    expect(redact(result)).toBe(result);
  });

  it('is not found in source code', () => {
    expect(redact(places.typed!, { codeFile: true })).toBe(places.typed);
    expect(redact(places.JSON!, { codeFile: true })).toBe(places.JSON);
  });
});
