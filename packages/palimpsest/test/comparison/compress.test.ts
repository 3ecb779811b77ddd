import { readdirSync, readFileSync, statSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { isRequestKept } from '@palimpsest/comparison/request-kept';
import { type Message, readHandoff, validateTranscript } from '@palimpsest/core';
import { describe, expect, it } from 'vitest';
import { runHere } from './run-here.ts';
import { scratchFolder } from './scratch.ts';
import { session } from './session.ts';

const folder = scratchFolder();
const cwd = folder.path;
const messages = session(80);
const lines = (values: readonly unknown[]): string => `${values.map((value) => JSON.stringify(value)).join('\n')}\n`;
const read = (name: string): string => readFileSync(`${cwd}/${name}`, 'utf8');
const isSmaller = (output: readonly Message[]): void => {
  expect(JSON.stringify(output).length).toBeLessThan(JSON.stringify(messages).length * 0.7);
  expect(isRequestKept(messages, output)).toBe(true);
  expect(validateTranscript(output)).toEqual([]);
};

describe('compress', () => {
  it('writes an array for an array, and reports what it did', async () => {
    folder.write('array.json', messages);
    const { code, stdout, stderr } = await runHere(['compress', 'array.json', '--out', 'smaller.json'], { cwd });
    expect({ code, stdout }).toEqual({ code: 0, stdout: '' });
    expect(stderr).toMatch(/^array: [\d,]+ -> [\d,]+ tokens, 163 -> \d+ messages \(compressor, window \d+K\)\n$/);
    isSmaller(JSON.parse(read('smaller.json')) as Message[]);
    expect(readdirSync(cwd).filter((name) => name.endsWith('.part'))).toEqual([]);
  });

  it('keeps the other fields of an object', async () => {
    folder.write('object.json', { id: 'mine', model: 'some-model', messages, tools: [{ type: 'function' }] });
    const { stdout } = await runHere(['compress', 'object.json', '--engine', 'prune-compact'], { cwd });
    const { messages: output, ...rest } = JSON.parse(stdout) as { messages: Message[] };
    expect(rest).toEqual({ id: 'mine', model: 'some-model', tools: [{ type: 'function' }] });
    isSmaller(output);
  });

  it('writes one message per line for one message per line', async () => {
    folder.write('messages.jsonl', lines(messages));
    const { stdout } = await runHere(['compress', 'messages.jsonl'], { cwd });
    isSmaller(
      stdout
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line) as Message),
    );
  });

  it('writes one transcript per line for one transcript per line', async () => {
    folder.write('several.jsonl', lines([messages, { messages }, session(1)]));
    const { code, stdout, stderr } = await runHere(['compress', 'several.jsonl'], { cwd });
    const [first, second, third, ...more] = stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as unknown);
    isSmaller(first as Message[]);
    isSmaller((second as { messages: Message[] }).messages);
    expect(third).toEqual(session(1));
    expect({ code, more }).toEqual({ code: 0, more: [] });
    expect(stderr.split('\n')[2]).toMatch(/^several#3: unchanged at \d+ tokens \(compressor, window 32K\): ./);
  });

  it('compresses standard input to standard output, toward a budget and around a topic', async () => {
    const stdin = JSON.stringify(messages);
    const { code, stdout } = await runHere(['compress', '-', '--budget', '9k', '--focus', 'semicolons', '--force'], {
      cwd,
      stdin,
    });
    const output = JSON.parse(stdout) as Message[];
    expect(code).toBe(0);
    isSmaller(output);
    expect(output.some((message) => readHandoff(message) !== null)).toBe(true);
  });

  it('writes nothing when the engine fails', async () => {
    const forgetful = fileURLToPath(new URL('./engines/forgetful.ts', import.meta.url));
    const { code, stdout, stderr } = await runHere(
      ['compress', 'array.json', '--engine', forgetful, '--out', 'never.json'],
      { cwd },
    );
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toMatch(
      /^palimpsest: array: the engine forgetful failed: .*request.*No file was written; try another --engine\n$/,
    );
    expect(readdirSync(cwd)).not.toContain('never.json');
  });

  it.skipIf(process.platform === 'win32')('writes to a device without replacing it by a file', async () => {
    const { code } = await runHere(['compress', 'array.json', '--out', '/dev/null'], { cwd });
    expect(code).toBe(0);
    expect(statSync('/dev/null').isCharacterDevice()).toBe(true);
  });
});
