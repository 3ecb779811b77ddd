import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Message, readHandoff, validateTranscript } from '@palimpsest/core';
import { currentTask, isTaskKept } from '@palimpsest/eval/measures';
import { createTokenCounter } from '@palimpsest/tokens';
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
  expect(isTaskKept(currentTask(messages, createTokenCounter()), output)).toBe(true);
  expect(validateTranscript(output)).toEqual([]);
};

describe('compact', () => {
  it('writes an array for an array, and reports what it did', async () => {
    folder.write('array.json', messages);
    const { code, stdout, stderr } = await runHere(['compact', 'array.json', '--out', 'smaller.json'], { cwd });
    expect({ code, stdout }).toEqual({ code: 0, stdout: '' });
    expect(stderr).toMatch(/^array: [\d,]+ -> [\d,]+ tokens, 163 -> \d+ messages \(compressor, window \d+K\)\n$/);
    isSmaller(JSON.parse(read('smaller.json')) as Message[]);
    expect(readdirSync(cwd).filter((name) => name.endsWith('.part'))).toEqual([]);
  });

  it('keeps the other fields of an object', async () => {
    folder.write('object.json', { id: 'mine', model: 'some-model', messages, tools: [{ type: 'function' }] });
    const { stdout } = await runHere(['compact', 'object.json', '--engine', 'prune-compact'], { cwd });
    const { messages: output, ...rest } = JSON.parse(stdout) as { messages: Message[] };
    expect(rest).toEqual({ id: 'mine', model: 'some-model', tools: [{ type: 'function' }] });
    isSmaller(output);
  });

  it('writes one message per line for one message per line', async () => {
    folder.write('messages.jsonl', lines(messages));
    const { stdout } = await runHere(['compact', 'messages.jsonl'], { cwd });
    isSmaller(
      stdout
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line) as Message),
    );
  });

  it('writes one transcript per line for one transcript per line', async () => {
    folder.write('several.jsonl', lines([messages, { messages }, session(1)]));
    const { code, stdout, stderr } = await runHere(['compact', 'several.jsonl'], { cwd });
    const [first, second, third, ...more] = stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as unknown);
    isSmaller(first as Message[]);
    isSmaller((second as { messages: Message[] }).messages);
    expect(third).toEqual(session(1));
    expect({ code, more }).toEqual({ code: 0, more: [] });
    expect(stderr.split('\n')[2]).toMatch(/^several#3: unchanged at \d+ tokens \(compressor, window 8K\): ./);
  });

  it('compacts standard input to standard output, toward a budget and around a topic', async () => {
    const stdin = JSON.stringify(messages);
    const { code, stdout } = await runHere(['compact', '-', '--budget', '9k', '--focus', 'semicolons', '--force'], {
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
      ['compact', 'array.json', '--engine', forgetful, '--out', 'never.json'],
      { cwd },
    );
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toMatch(
      /^palimpsest: array: the engine forgetful failed: .*task.*No file was written; try another --engine\n$/,
    );
    expect(readdirSync(cwd)).not.toContain('never.json');
  });

  it.skipIf(process.platform === 'win32')('writes to a device without replacing it by a file', async () => {
    const { code } = await runHere(['compact', 'array.json', '--out', '/dev/null'], { cwd });
    expect(code).toBe(0);
    expect(statSync('/dev/null').isCharacterDevice()).toBe(true);
  });
});

describe('the configuration of the folder', () => {
  const own = join(cwd, 'configured');
  const engine = `export default {
    name: 'kept-words',
    apiVersion: 1,
    create: ({ keep }) => ({
      initial: null,
      budget: ({ contextLength }) =>
        ({ contextLength, usableTokens: contextLength, thresholdTokens: 1000, tailTokens: 0, summaryTokens: 0 }),
      plan: async () => ({ edits: [], state: null, notes: { reason: 'It keeps ' + keep + ' words.' } }),
    }),
  };`;
  /** The user trusts the folder. */
  const trusted = { cwd: own, home: join(own, 'home'), confirm: async () => true };
  mkdirSync(own);
  writeFileSync(join(own, 'kept-words.js'), engine);
  writeFileSync(join(own, 'session.json'), JSON.stringify(messages));
  writeFileSync(
    join(own, 'palimpsest.config.yaml'),
    'context:\n  engine: ./kept-words.js\n  engines: { kept-words: { keep: 3 } }\n',
  );

  it.each([[['--engine', './kept-words.js']], [[]]])(
    'gives compress the engine and its options, with %j',
    async (flags) => {
      const { stderr } = await runHere(['compact', 'session.json', ...flags], trusted);
      expect(stderr).toContain('(kept-words, window');
      expect(stderr).toContain('It keeps 3 words.');
    },
  );

  it('gives compare the options of each engine', async () => {
    // Compacted once: the reason is that of the engine.
    const { stdout } = await runHere(
      ['compare', 'session.json', '--engine', './kept-words.js', '--force', '--json'],
      trusted,
    );
    expect(JSON.parse(stdout).samples[0].engines[0].reason).toBe('It keeps 3 words.');
  });

  it('gives inspect the engine', async () => {
    const env = { PALIMPSEST_ENGINE: 'prune-compact' };
    await runHere(['inspect', 'session.json', '--html', 'page.html'], { ...trusted, env });
    expect(readFileSync(join(own, 'page.html'), 'utf8')).toMatch(/by prune-compact/);
  });

  it('is an error that names the file if it is invalid', async () => {
    const broken = join(cwd, 'broken');
    mkdirSync(broken);
    writeFileSync(join(broken, 'session.json'), JSON.stringify(messages));
    writeFileSync(join(broken, 'palimpsest.config.json'), '{ "contxt": {} }');
    const { code, stderr } = await runHere(['compact', 'session.json'], { cwd: broken });
    expect(code).toBe(1);
    expect(stderr).toContain('palimpsest.config.json');
  });
});
