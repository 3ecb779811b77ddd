import { describe, expect, it } from 'vitest';
import { redact } from '../src/index.ts';
import { alphanumeric, hex, pem } from './token-maker.ts';

const key = pem('RSA PRIVATE KEY', 8);
const lines = key.split('\n');
const body = lines.slice(1, -1);
const each = (write: (line: string, index: number) => string): string => lines.map(write).join('\n');
const time = (index: number): string => `2026-03-01T09:00:0${index % 10}.123Z`;

/** Expects that no line of the key is left and the number of lines is unchanged. */
function expectMasked(text: string, kept: readonly string[] = []): void {
  const result = redact(text);
  for (const line of body) expect(result).not.toContain(line.slice(8, 24));
  expect(result).not.toContain('END RSA');
  expect(result).toContain('[REDACTED PRIVATE KEY]');
  expect(result.split('\n')).toHaveLength(text.split('\n').length);
  for (const one of kept) expect(result).toContain(one);
  expect(redact(result)).toBe(result);
}

describe('private keys', () => {
  it.each<[string, string]>([
    ['plain', key],
    ['numbered with an arrow', each((line, index) => `${String(index + 1).padStart(6)}→${line}`)],
    ['cat -n', each((line, index) => `${String(index + 1).padStart(6)}\t${line}`)],
    ['grep -n', each((line, index) => `${index + 1}:${line}`)],
    ['grep -rn with a path', each((line, index) => `deploy/keys/server.pem:${index + 1}:${line}`)],
    ['grep with context', each((line, index) => (index === 0 ? `key.pem:1:${line}` : `key.pem-${index + 1}-${line}`))],
    ['bat', each((line, index) => `  ${String(index + 1).padStart(3)} │ ${line}`)],
    ['numbered with a bar', each((line, index) => `${index + 1} | ${line}`)],
    ['numbered in brackets', each((line, index) => `[${index + 1}] ${line}`)],
    ['a log', each((line, index) => `${time(index)} INFO  [worker-3] c.example.KeyLoader - ${line}`)],
    ['docker compose', each((line) => `api-1  | ${line}`)],
    ['journald', each((line) => `Mar 01 09:00:00 host-1 app[4711]: ${line}`)],
    ['a JSON log', each((line, index) => JSON.stringify({ time: time(index), level: 'info', msg: line }))],
    ['a deep indent', each((line) => `${' '.repeat(64)}${line}`)],
    ['tabs', each((line) => `\t\t\t\t\t\t\t\t\t\t\t\t${line}`)],
    ['YAML, literal', `tls:\n  key: |\n${each((line) => `    ${line}`)}\n`],
    ['YAML, folded', `tls:\n  key: >-\n${each((line) => `    ${line}\n`)}`],
    ['a diff, added', each((line) => `+${line}`)],
    ['a diff, removed', each((line) => `-${line}`)],
    ['a diff of a diff', each((line) => `+ -  ${line}`)],
    ['a quotation', each((line) => `> > ${line}`)],
    ['a comment', each((line) => ` * ${line}`)],
    ['shell tracing', each((line) => `++ echo '${line}'`)],
    ['JSON', JSON.stringify({ private_key: key })],
    ['JSON in JSON', JSON.stringify({ body: JSON.stringify({ private_key: key }) })],
    ['JSON with escaped slashes', JSON.stringify({ key }).replaceAll('s', '\\/')],
    ['JSON with CRLF', JSON.stringify({ key: key.replaceAll('\n', '\r\n') })],
    [
      'numbered lines in JSON',
      JSON.stringify({ output: each((line, index) => `${String(index + 1).padStart(6)}→${line}`) }),
    ],
    ['a list of strings', JSON.stringify({ lines }, null, 2)],
    ['a string put together', each((line) => `  "${line}\\n" +`)],
    ['a C string', each((line) => `"${line}\\n" \\`)],
    ['one line with blanks', key.replaceAll('\n', ' ')],
    ['one line', key.replaceAll('\n', '')],
    ['one line with \\n', key.replaceAll('\n', '\\n')],
    ['CRLF', key.replaceAll('\n', '\r\n')],
    ['double spacing', key.replaceAll('\n', '\n\n')],
    [
      'an encrypted key',
      key.replace('\n', `\nProc-Type: 4,ENCRYPTED\nDEK-Info: AES-128-CBC,${hex(32).toUpperCase()}\n\n`),
    ],
    ['colours', each((line, index) => `\u001b[32m${index + 1}\u001b[0m:${line}`)],
    ['SSH2', key.replace(/-----(BEGIN|END) RSA PRIVATE KEY-----/g, '---- $1 SSH2 ENCRYPTED PRIVATE KEY ----')],
    ['HTML', each((line) => `<code>${line}</code><br>`)],
    ['a table', each((line, index) => `| ${index + 1} | ${line} |`)],
  ])('are masked entirely: %s', (_, text) => {
    expectMasked(`before it\n${text}\nafter it`, ['before it\n', '\nafter it']);
  });

  it.each<[string, (line: string, index: number) => string]>([
    ['plain', (line) => line],
    ['line numbers', (line, index) => `${String(index + 1).padStart(6)}→${line}`],
    ['a log', (line, index) => `${time(index)} INFO  ${line}`],
    ['a deep indent', (line) => `${' '.repeat(48)}${line}`],
  ])('are masked if truncated at either end: %s', (_, write) => {
    const written = lines.map(write);
    expectMasked(`see:\n${written.slice(0, 5).join('\n')}\n... [truncated]\nand so on`, ['... [truncated]\nand so on']);
    const partial = `${written.slice(0, 5).join('\n')}\n${written[5]!.slice(0, -30)}`;
    expect(redact(partial)).not.toContain(body[3]!.slice(4, 20));
    const tail = redact(`what came before\n${written.slice(3).join('\n')}\nafter it`);
    for (const line of body.slice(2)) expect(tail).not.toContain(line.slice(8, 24));
    expect(tail).toMatch(/^what came before\n[\s\S]*\nafter it$/);
  });

  it('in PuTTY format lose their private lines and keep the public ones', () => {
    const open = Array.from({ length: 3 }, () => alphanumeric(64));
    const ppk = [
      'PuTTY-User-Key-File-3: ssh-ed25519',
      'Encryption: none',
      'Comment: ann@example.com',
      'Public-Lines: 3',
      ...open,
      `Private-Lines: ${body.length}`,
      ...body,
      `Private-MAC: ${hex(64)}`,
    ];
    expectMasked(ppk.join('\n'), [...open, 'Private-Lines: 8\n', 'Private-MAC: ']);
    expectMasked(ppk.map((line, index) => `${String(index + 1).padStart(6)}→${line}`).join('\n'), open);
  });

  it.each([
    `if ('-----BEGIN PRIVATE KEY-----' in privateKeyContents2 && '-----END PRIVATE KEY-----' in it) return;`,
    'It begins with -----BEGIN RSA PRIVATE KEY----- and ends with -----END RSA PRIVATE KEY-----.',
    '-----BEGIN PRIVATE KEY-----\n...\n-----END PRIVATE KEY-----',
    '-----BEGIN PRIVATE KEY-----\n<your key here>\n-----END PRIVATE KEY-----',
    '$ head -1 key.pem\n-----BEGIN RSA PRIVATE KEY-----\n$ ls /usr/local/share/ca-certificates\n$ git log\ncommit 1f8e0c2d4b6a8c0e1f3a5b7d9c1e3f5a7b9d1c3e',
  ])('are not found in text that only mentions header and footer: %s', (text) => {
    expect(redact(text)).toBe(text);
  });

  it('are distinguished from certificates and public keys', () => {
    const text = `${pem('CERTIFICATE')}\n${pem('PUBLIC KEY')}\n${pem('PGP PUBLIC KEY BLOCK')}`;
    expect(redact(text)).toBe(text);
    expect(redact(`${text}\n${key}`)).toBe(`${text}\n[REDACTED PRIVATE KEY]${'\n'.repeat(9)}`);
  });
});
