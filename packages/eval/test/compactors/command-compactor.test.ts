import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Message } from '@palimpsest/core';
import { createTokenCounter } from '@palimpsest/tokens';
import { afterAll, describe, expect, it } from 'vitest';
import { type CommandCompactorOptions, commandCompactor } from '../../src/index.ts';

const folder = mkdtempSync(join(tmpdir(), 'palimpsest-eval-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

let programs = 0;
/** Runs a program that is written in a file. */
function compact(source: string, options: CommandCompactorOptions = {}, messages: readonly Message[] = conversation) {
  const file = join(folder, `program-${++programs}.cjs`);
  writeFileSync(file, source);
  return commandCompactor(`"${process.execPath}" "${file}"`, options).compact(messages, 50, createTokenCounter());
}

const tsx = import.meta.resolve('tsx');

function isRunning(id: number): boolean {
  try {
    process.kill(id, 0);
    return true;
  } catch {
    return false;
  }
}

const conversation: readonly Message[] = [
  { role: 'user', content: 'Find the fault, ünïcode “quoted”.' },
  { role: 'assistant', content: 'It is in parse.ts.' },
  { role: 'user', content: 'Mend it.' },
];
const input = `const given = JSON.parse(require('node:fs').readFileSync(0, 'utf8'));`;

describe('a command', () => {
  it('gets messages, their tokens and the budget, and its output is read', async () => {
    const result = await compact(
      `${input} console.log(JSON.stringify([given.messages[0], { role: 'assistant', content: [given.version, given.tokens.length, given.budgetTokens].join() }]))`,
    );
    expect(result).toMatchObject({ messages: [conversation[0], { content: '1,3,50' }] });
    // What stayed the same is the same object.
    expect((result as { messages: readonly Message[] }).messages[0]).toBe(conversation[0]);
  });

  it('may tell which calls of models it made', async () => {
    const source = `${input} console.log(JSON.stringify({ messages: given.messages, calls: [{ inputTokens: 7, outputTokens: 2 }] }))`;
    expect(await compact(source)).toMatchObject({ calls: [{ inputTokens: 7, outputTokens: 2 }] });
    await expect(compact(`console.log('{"messages":[],"calls":[{"inputTokens":"7"}]}')`)).rejects.toThrow(
      /its "calls" are not/,
    );
  });

  it('need not read its input', async () => {
    const long = Array.from({ length: 1_000 }, (): Message => ({ role: 'user', content: 'word '.repeat(100) }));
    expect(await compact(`console.log('[]')`, {}, long)).toMatchObject({ messages: [] });
  });

  it.each([
    [
      'fails',
      `console.error('first'); console.error('no module named x'); process.exit(3)`,
      /exit code 3, after printing: no module named x$/,
    ],
    [
      'prints text',
      `console.log('Loading the model ...')`,
      /it printed text that begins with "Loading the model ..."; print a JSON array/,
    ],
    ['prints nothing', '', /it printed nothing; print a JSON array of messages/],
    ['prints other JSON', `console.log('{"text": 1}')`, /it printed JSON without messages/],
    ['prints null', `console.log('null')`, /it printed JSON without messages/],
  ])('that %s is an error that says so', async (_, source, message) => {
    await expect(compact(source)).rejects.toMatchObject({
      code: 'COMMAND_FAILED',
      message: expect.stringMatching(message),
    });
  });

  it('is stopped when it takes too long, together with what it started', async () => {
    const started = performance.now();
    const source = `require('node:child_process').spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: 'inherit' }); setInterval(() => {}, 1000);`;
    await expect(compact(source, { timeoutMs: 500 })).rejects.toThrow(/it took longer than 0.5 s/);
    expect(performance.now() - started).toBeLessThan(10_000);
  });

  it('is stopped when it prints too much', async () => {
    const source = `const print = () => process.stdout.write('x'.repeat(100_000), print); print();`;
    await expect(compact(source, { maxOutputBytes: 1_000_000 })).rejects.toThrow(/it printed more than 1000000 bytes/);
  });

  it('ends with the process that started it', async () => {
    // A program of its own: it loads the compactor, starts a command that never ends, and ends when that has begun.
    const mark = join(folder, 'began');
    const endless = join(folder, 'endless.cjs');
    writeFileSync(
      endless,
      `require('node:fs').writeFileSync(${JSON.stringify(mark)}, String(process.pid)); setInterval(() => {}, 1000);`,
    );
    const host = join(folder, 'host.mts');
    const source = new URL('../../src/compactors/command-compactor.ts', import.meta.url).href;
    writeFileSync(
      host,
      `import { existsSync } from 'node:fs';
      import { commandCompactor } from ${JSON.stringify(source)};
      void commandCompactor(${JSON.stringify(`"${process.execPath}" "${endless}"`)}).compact([], 10, { countMessage: () => 1 });
      setInterval(() => { if (existsSync(${JSON.stringify(mark)})) process.exit(0); }, 20);`,
    );
    await promisify(execFile)(process.execPath, ['--import', tsx, '--conditions=palimpsest-source', host]);
    const id = Number(readFileSync(mark, 'utf8'));
    await expect.poll(() => isRunning(id), { timeout: 5_000 }).toBe(false);
  });

  it('that does not exist is an error', async () => {
    const missing = commandCompactor('no-such-program-here');
    await expect(missing.compact(conversation, 50, createTokenCounter())).rejects.toThrow(
      /failed: it ended with exit code/,
    );
  });
});
