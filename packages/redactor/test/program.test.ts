import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type BundledProcess, bundleProcess } from '../../../test/bundle-process.ts';
import { alphanumeric, pem } from './token-maker.ts';

const folder = mkdtempSync(join(tmpdir(), 'palimpsest-redactor-'));
let program: BundledProcess;
beforeAll(async () => {
  program = await bundleProcess(import.meta.url, '../src/program/main.ts');
});
afterAll(() => {
  program.remove();
  rmSync(folder, { recursive: true, force: true });
});

interface Ran {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

function run(arguments_: readonly string[], stdin: string | Uint8Array = ''): Promise<Ran> {
  const child = spawn(process.execPath, [program.script, ...arguments_], { cwd: folder });
  let [out, err] = ['', ''];
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    out += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    err += text;
  });
  child.stdin.on('error', () => {});
  child.stdin.end(stdin);
  return new Promise((resolve) => child.on('close', (code) => resolve({ code, out, err })));
}

const token = `ghp_${alphanumeric(36)}`;
const mask = `${token.slice(0, 6)}...${token.slice(-4)}`;

describe('the program', () => {
  it('masks a secret in a wrong option, also where the text of the error is cut', async () => {
    for (let length = 330; length <= 400; length += 5) {
      const { code, err } = await run([`--${'x'.repeat(length)}=${token}`]);
      expect(code).toBe(2);
      expect(err).not.toContain(token.slice(0, 12));
    }
  });

  it('copies standard input to standard output and masks only secrets', async () => {
    const text = `\ufeffgrüße 🙂\r\nexport TOKEN=${token}\n\n${pem()}\nlast line without an end`;
    const { code, out, err } = await run([], text);
    expect(out).toBe(
      `\ufeffgrüße 🙂\r\nexport TOKEN=${mask}\n\n[REDACTED PRIVATE KEY]${'\n'.repeat(7)}\nlast line without an end`,
    );
    expect([code, err]).toEqual([0, '']);
    expect(await run(['-'], 'nothing secret\n')).toEqual({ code: 0, out: 'nothing secret\n', err: '' });
    expect(await run([], '')).toEqual({ code: 0, out: '', err: '' });
  });

  it('reads files and standard input in the given order', async () => {
    writeFileSync(join(folder, 'a.log'), `a ${token}\n`);
    writeFileSync(join(folder, 'b.log'), 'b\n');
    expect(await run(['b.log', '-', 'a.log'], `in ${token}\n`)).toEqual({
      code: 0,
      out: `b\nin ${mask}\na ${mask}\n`,
      err: '',
    });
  });

  it('processes large input', async () => {
    const line = `${'x'.repeat(99)}\n`;
    const { out } = await run([], `${line.repeat(30_000)}TOKEN=${token}\n`);
    expect(out).toBe(`${line.repeat(30_000)}TOKEN=${mask}\n`);
  });

  it('prints the location of each secret with --check, never the secret, and exits with 1', async () => {
    writeFileSync(join(folder, 'c.env'), `A=1\nTOKEN=${token}\n\nB=2; password: "hunter2!x"\n`);
    const { code, out, err } = await run(['--check', 'b.log', 'c.env']);
    expect(out).toBe('c.env:2:7: token ghp_\nc.env:4:17: assignment\n');
    expect([code, err]).toEqual([1, '']);
    expect(await run(['--check', 'b.log'])).toEqual({ code: 0, out: '', err: '' });
    expect((await run(['--check'], `TOKEN=${token}`)).out).toBe('(standard input):1:7: token ghp_\n');
  });

  it('does not judge values by their names with --code', async () => {
    const code = `const password = "hunter2!x"; f("${token}");`;
    expect((await run(['--code'], code)).out).toBe(`const password = "hunter2!x"; f("${mask}");`);
  });

  it('reports unreadable inputs in one line each, processes the others, and exits with 2', async () => {
    const { code, out, err } = await run(['missing.log', 'b.log', '.']);
    expect([code, out]).toEqual([2, 'b\n']);
    expect(err).toBe(
      'palimpsest-redactor: missing.log cannot be read: there is no such file or folder\n' +
        'palimpsest-redactor: . cannot be read: it is a folder\n',
    );
    const binary = await run([], Uint8Array.from([0x61, 0xff, 0xfe, 0x62]));
    expect([binary.code, binary.out]).toEqual([2, '']);
    expect(binary.err).toContain('standard input is not UTF-8 text');
  });

  it('prints help and version, and reports wrong usage', async () => {
    const help = await run(['--help']);
    expect([help.code, help.err]).toEqual([0, '']);
    expect(help.out).toContain('Exit codes: 0 done');
    expect((await run(['--version'])).out).toMatch(/^\d+\.\d+\.\d+\n$/);
    const wrong = await run(['--chekc', token]);
    expect(wrong.code).toBe(2);
    expect(wrong.err).toMatch(/^palimpsest-redactor: unknown option .*--help\n$/);
    expect((await run([`--${token}`])).err).not.toContain(token);
  });

  it.skipIf(process.platform === 'win32')('ends without an error when its output is closed early', async () => {
    const child = spawn('bash', [
      '-c',
      `head -c 5000000 /dev/zero | tr '\\0' 'a' | "$0" "$1" | head -c 10`,
      process.execPath,
      program.script,
    ]);
    let err = '';
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      err += text;
    });
    await new Promise((resolve) => child.on('close', resolve));
    expect(err).toBe('');
  });
});
