import { describe, expect, it } from 'vitest';
import { redact, redactMessages } from '../src/index.ts';
import { alphanumeric, hex, TOKENS } from './token-maker.ts';

const long = TOKENS['Anthropic sk-ant-']!;
const fine = TOKENS['GitHub github_pat_']!;
const classic = TOKENS['GitHub ghp_']!;
const wrapped = (token: string, width: number, indent = ''): string =>
  token.match(new RegExp(`.{1,${width}}`, 'g'))!.join(`\n${indent}`);

function expectNothingOf(token: string, text: string): void {
  const left = text.replace(/\s|\\/g, '');
  for (let at = 8; at + 8 < token.length - 4; at += 1) expect(left).not.toContain(token.slice(at, at + 8));
}

describe('a token on several lines', () => {
  it.each([
    ['three lines of a terminal', `${'x '.repeat(20)}${wrapped(long, 40)}`, long],
    ['indented lines', `token: ${wrapped(long, 60, '        ')}`, long],
    ['narrow lines', `It is\n${wrapped(fine, 20)}`, fine],
    ['narrow and indented lines', `It is\n  ${wrapped(long, 24, '  ')}`, long],
    ['three short lines', `It is\n${wrapped(classic, 16)}`, classic],
    ['continued lines of a shell', `export T=${wrapped(classic, 15).replaceAll('\n', '\\\n    ')}`, classic],
    ['a named value on three lines', `API_KEY=${wrapped(alphanumeric(120), 50)}`, ''],
  ])('is masked whole: %s', (_, broken, token) => {
    const text = `first\n${broken}\nnext line of words\n`;
    const masked = redact(text);
    expectNothingOf(token || broken.slice(8).replace(/\n/g, ''), masked);
    expect(masked).toContain('next line of words');
    expect(masked.split('\n')).toHaveLength(text.split('\n').length);
  });

  it.each([
    'ghp_short\nhello world\n',
    're_abcdef12\nfoo\n',
    'pa-1234-build\nf3a9c2d1e4b5\n',
    'key_one_two_three\nkey_two_three_four\n',
    'sk-learn-contrib\nnumpy1234abc\n',
  ])('does not make one of harmless lines: %j', (text) => {
    expect(redact(text)).toBe(text);
  });
});

describe('a token that is cut across the arguments of a call', () => {
  const calls = (input: object): readonly object[] => [
    { role: 'assistant', content: [{ type: 'tool_use', id: 'a', name: 'join', input }] },
    {
      role: 'assistant',
      content: null,
      tool_calls: [{ id: 'b', type: 'function', function: { name: 'join', arguments: JSON.stringify(input) } }],
    },
  ];

  it.each([
    ['a ghp_', classic],
    ['a sk-ant-', long],
  ])('is masked, wherever %s is cut', (_, token) => {
    for (let cut = 8; cut < token.length - 16; cut += 3) {
      const [first, second] = [token.slice(0, cut), token.slice(cut)];
      for (const input of [{ a: `x ${first}`, n: 1, b: `${second} y` }, { list: ['echo', first, second] }]) {
        const masked = JSON.stringify(redactMessages(calls(input), { boundary: true }));
        expect(masked).not.toContain(second.slice(4, 12));
        expect(masked).toContain('join');
      }
    }
  });

  it.each([
    [{ path: 'keys/key_1.pem', sha: hex(40) }],
    [{ path: 'src/key_utils.ts', content: 'import x' }],
    [{ branch: 'fix-12', sha: hex(20) }],
    [{ list: ['sk-learn', '1.2.3', 'numpy'] }],
  ])('is not seen in harmless arguments: %j', (input) => {
    const messages = calls(input);
    expect(redactMessages(messages, { boundary: true })).toBe(messages);
  });
});

describe('the password of curl', () => {
  const password = 's3cr3t'.concat('Pw');
  it.each([
    (secret: string) => `curl -u ":${secret}" https://a.example`,
    (secret: string) => `curl -s -u :${secret} https://a.example`,
    (secret: string) => `curl --user name:'${secret}' https://a.example`,
    (secret: string) => `curl -u name:"${secret}" https://a.example`,
    (secret: string) => `curl -u 'name':'${secret}' https://a.example`,
    (secret: string) => `curl --user="name:${secret}" https://a.example`,
    (secret: string) => `curl -uname:${secret} https://a.example`,
    (secret: string) => `curl --proxy-user a:'${secret}' https://a.example`,
    (secret: string) => `curl -u \\\n  "a:${secret}" https://a.example`,
    (secret: string) => JSON.stringify({ command: `curl -u "name:${secret}" https://a.example` }),
    (secret: string) => JSON.stringify({ command: `curl -u name:'${secret}' https://a.example` }),
  ])('is masked, with its quotes left: %s', (command) => {
    expect(redact(command(password))).toBe(command('***'));
  });

  it.each([
    'curl --user-agent "Mozilla: 5a1b2" https://a.example',
    'curl -u "$USER:$PASS" https://a.example',
    'curl -u : --negotiate https://a.example',
    'curl -u name https://a.example',
  ])('is not seen in %s', (command) => {
    expect(redact(command)).toBe(command);
  });
});

describe('a token of a newer kind', () => {
  it.each([
    ['GitLab SCIM', `glsoat-${alphanumeric(26)}`],
    ['GitLab runner', `GR1348941${alphanumeric(26)}`],
    ['Vercel', `vca_${alphanumeric(56)}`],
    ['Mailchimp', `${hex(32)}-us2`],
    ['Mailchimp, two digits', `${hex(32)}-us21`],
    ['Mailgun', `key-${hex(32)}`],
    ['CircleCI', `CCIPAT_${alphanumeric(22)}_${hex(40)}`],
  ])('is masked: %s', (_, token) => {
    expect(redact(`I saw ${token} there.`)).not.toContain(token.slice(6, -4));
  });

  it('is not seen in regions', () => {
    const text = `The bucket is in eu-us2, non-us1, ${hex(31)}-us2.`;
    expect(redact(text)).toBe(text);
  });
});
