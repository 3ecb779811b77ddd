import { describe, expect, it } from 'vitest';
import { inspect, redact } from '../src/index.ts';
import { alphanumeric, pem } from './token-maker.ts';

const token = `ghp_${alphanumeric(36)}`;
const value = alphanumeric(24);
const password = 'hunter2!x';

/** Inserts a hidden character after every second character. */
const interleaved = (text: string, hidden: string): string =>
  Array.from(text, (character, index) => (index % 2 === 0 ? character + hidden : character)).join('');
const percent = (text: string): string => encodeURIComponent(text).replace(/_/g, '%5F');

describe('a secret with invisible characters', () => {
  it.each([
    ['NUL', '\0'],
    ['an escaped NUL', '\\u0000'],
    ['an escaped NUL in a shell', '\\x00'],
    ['backspace', '\b'],
    ['delete', '\x7f'],
    ['start of heading', '\x01'],
    ['a combining accent', '\u0301'],
    ['an escaped combining accent', '\\u0301'],
    ['a combining enclosure', '\u20dd'],
    ['a tag character', '\u{e0041}'],
    ['a variation selector', '\ufe0f'],
    ['a supplementary variation selector', '\u{e0100}'],
    ['a Hangul filler', '\u3164'],
    ['a half-width Hangul filler', '\uffa0'],
    ['a Braille blank', '\u2800'],
    ['a Mongolian separator', '\u180e'],
    ['an interlinear mark', '\ufffa'],
    ['an invisible plus', '\u2064'],
    ['a zero-width space as an entity', '&#8203;'],
    ['a zero-width space as a hexadecimal entity', '&#x200b;'],
    ['a percent-encoded NUL', '%00'],
  ])('is masked: %s', (_, hidden) => {
    const [split, name] = [interleaved(token, hidden), interleaved(`password: "${password}"`, hidden)];
    for (const text of [`use ${split} now`, `a line\n${name}\nnext`]) {
      const result = redact(text);
      expect(result.replaceAll(hidden, '')).not.toContain(token.slice(6, 18));
      expect(result.replaceAll(hidden, '')).not.toContain(password.slice(0, 6));
      expect(redact(result)).toBe(result);
      for (const { start, end } of inspect(text)) expect(text.slice(start, end).replaceAll(hidden, '')).toMatch(/^\w/);
    }
    expect(redact(`use ${split} now`)).toMatch(/^use ghp_.*\.{3}.* now$/);
  });
});

describe('a secret in escaped or encoded text', () => {
  it.each([
    ['an escaped equals sign', `api_key\\u003d${value}`],
    ['an escaped ampersand', `a=1\\u0026api_key\\u003d${value}\\u0026b=2`],
    ['escaped quotes', `{\\u0022api_key\\u0022:\\u0022${value}\\u0022}`],
    ['escapes of a shell', `api_key\\x3d${value}`],
    ['everything escaped', Array.from(`password=${value}`, (one) => `\\u00${one.charCodeAt(0).toString(16)}`).join('')],
    ['entities', `{&quot;api_key&quot;:&quot;${value}&quot;}`],
    ['numeric entities', `api_key&#61;${value}`],
    ['hexadecimal entities', `api_key&#x3D;&#x22;${value}&#x22;`],
    ['entities of entities', `{&amp;quot;api_key&amp;quot;:&amp;quot;${value}&amp;quot;}`],
    ['a named equals sign', `api&lowbar;key&equals;${value}`],
    ['an encoded parameter name', `https://h.example.com/p?client%5Fsecret=${value}&x=1`],
    ['a parameter name encoded twice', `https://h.example.com/p?client%255Fsecret=${value}&x=1`],
    [
      'a redirect',
      `https://h.example.com/login?redirect=https%3A%2F%2Fx.example.com%2F%3Faccess_token%3D${value}%26b%3D1`,
    ],
    [
      'a redirect in a redirect',
      `/login?next=${percent(`https://a.example.com/?next=${percent(`/x?access_token=${value}&b=1`)}`)}`,
    ],
    ['an encoded body', `body=${percent(JSON.stringify({ api_key: value }))}`],
    ['a full-width colon', `api_key：${value}`],
    ['a full-width colon and blank', `password： ${value}`],
    ['a full-width equals sign', `password＝${value}`],
    ['full-width letters', `ｐａｓｓｗｏｒｄ=${value}`],
    [
      'a full-width value',
      `password="${Array.from(password, (one) => String.fromCharCode(one.charCodeAt(0) + 0xfee0)).join('')}"`,
    ],
  ])('is masked: %s', (_, text) => {
    const result = redact(text);
    expect(result).not.toContain(value.slice(6, 16));
    expect(result).not.toBe(text);
    expect(redact(result)).toBe(result);
    const json = JSON.stringify({ text });
    expect((JSON.parse(redact(json)) as { text: string }).text).not.toContain(value.slice(6, 16));
  });

  it('is found with and without hidden characters far away', () => {
    const far = 'lorem ipsum dolor sit amet '.repeat(400);
    const text = `password: "${password}" ${far} \u001b[31mred\u001b[0m ${far} ${interleaved(token, '\u200b')} ${far}`;
    const result = redact(text);
    expect(result).toMatch(/^password: "\*{3}" lorem/);
    expect(result).toContain('\u001b[31mred\u001b[0m');
    expect(result).not.toContain(`${token.slice(-4, -2)}\u200b`);
  });

  it('keeps the number of lines if it is an escaped private key', () => {
    const key = pem();
    for (const text of [encodeURIComponent(key), key.replaceAll('\n', '&#10;'), key.replaceAll('-', '\\u002d')]) {
      const result = redact(`key=${text}\nnext`);
      for (const line of key.split('\n').slice(1, -1)) expect(result).not.toContain(line.slice(4, 20));
      expect(result.split('\n')).toHaveLength(text.split('\n').length + 1);
    }
  });
});

describe('harmless text with hidden characters', () => {
  it.each([
    'GET /search?q=a%20b%3Dc&page=2 200',
    'Ｆｕｌｌ　ｗｉｄｔｈ：ｔｅｘｔ',
    'Grüße, naïve cafe\u0301, \u{1f468}\u200d\u{1f469}\u200d\u{1f467}',
    '<a href="?a=1&amp;b=2&#39;">it&#39;s &quot;fine&quot;</a>',
    '{"text":"caf\\u00e9 \\u2019 \\u003cb\\u003e"}',
    'max%5Ftokens=4096&next%5Fpage%5Ftoken=3',
    'man\bn page\x7f with NUL\0 bytes',
    '密码：请输入密码',
  ])('is unchanged: %s', (text) => {
    expect(redact(text)).toBe(text);
  });
});
