import { readFileSync } from 'node:fs';
import { jsonStrings } from '@palimpsest/eval/inputs/redact-input';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { runHere } from './run-here.ts';
import { scratchFolder } from './scratch.ts';

const folder = scratchFolder();
const cwd = folder.path;
// Assembled at run time so that secret scanners do not flag this file.
const secret = `sk-ant-${'api03'}-${'Zk3v9QpT7wXn2LbR5yHd8MfC'.repeat(4)}`;

describe('redact', () => {
  it('masks a secret in a transcript and leaves every other byte alone', async () => {
    const before = `{\n  "messages": [\n    {"role": "user",   "content": "use ${secret} \\u00fcber"},\n    {"role": "assistant", "content": "ok"}\n  ]\n}\n`;
    folder.write('session.json', before);
    const { code, stdout, stderr } = await runHere(['redact', 'session.json', '--out', 'clean.json'], { cwd });
    const after = readFileSync(`${cwd}/clean.json`, 'utf8');
    expect({ code, stdout }).toEqual({ code: 0, stdout: '' });
    expect(after).not.toContain(secret.slice(10, -5));
    expect(after.split('\n').length).toBe(before.split('\n').length);
    const message = JSON.parse(after).messages[0] as { content: string };
    expect(message.content).toMatch(/^use \S+ über$/);
    expect(after.split('\n').filter((_, index) => index !== 2)).toEqual(
      before.split('\n').filter((_, index) => index !== 2),
    );
    expect(stderr).toBe('1 masked: 1 token sk-ant-\n');
  });

  it('finds a secret in call arguments and in text that is not JSON', async () => {
    const call = {
      id: 'a',
      type: 'function',
      function: { name: 'run', arguments: JSON.stringify({ command: `curl -H "x-api-key: ${secret}"` }) },
    };
    const line = JSON.stringify({ role: 'assistant', content: null, tool_calls: [call] });
    for (const stdin of [`${line}\n${line}\n`, `export ANTHROPIC_API_KEY=${secret}\nexport PATH=/bin\n`]) {
      const { stdout } = await runHere(['redact', '-'], { cwd, stdin });
      expect(stdout).not.toContain(secret.slice(10, -5));
      expect(stdout.split('\n').length).toBe(stdin.split('\n').length);
    }
  });

  it('reports that there is nothing to mask', async () => {
    const { stdout, stderr } = await runHere(['redact', '-'], { cwd, stdin: 'nothing secret here' });
    expect({ stdout, stderr }).toEqual({ stdout: 'nothing secret here', stderr: 'no secret was found\n' });
  });

  it('keeps every byte of a text without secrets', async () => {
    const line = fc.constantFrom(
      '',
      ' ',
      'plain words',
      '{"a": "b\\u00fc"}',
      '[1,',
      '\ufeff',
      '"x"',
      '{"role":"user","content":"hi"}',
    );
    const ends = fc.constantFrom('\n', '\r\n');
    await fc.assert(
      fc.asyncProperty(fc.array(fc.tuple(line, ends), { maxLength: 6 }), line, async (lines, last) => {
        const stdin = lines.flat().join('') + last;
        expect((await runHere(['redact', '-'], { cwd, stdin })).stdout).toBe(stdin);
      }),
    );
  });

  it('finds every string of any JSON text at its position', () => {
    fc.assert(
      fc.property(fc.json(), (text) => {
        for (const { start, end, value } of jsonStrings(text)) expect(JSON.parse(text.slice(start, end))).toBe(value);
        const masked = [...jsonStrings(text)].reduceRight(
          (rest, { start, end }) => `${rest.slice(0, start)}"masked"${rest.slice(end)}`,
          text,
        );
        expect(() => JSON.parse(masked)).not.toThrow();
      }),
    );
  });
});
