import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runHere } from '../comparison/run-here.ts';
import { session } from '../comparison/session.ts';
import { runningProgram } from './running-program.ts';

let cwd: string;
beforeAll(() => {
  cwd = mkdtempSync(join(tmpdir(), 'palimpsest-interrupted-'));
  writeFileSync(join(cwd, 'session.json'), JSON.stringify(session(60)));
  writeFileSync(
    join(cwd, 'busy.mjs'),
    `import { writeSync } from 'node:fs';
    export default {
      name: 'busy',
      apiVersion: 1,
      create: () => ({
        initial: null,
        budget: ({ contextLength }) => ({ contextLength, usableTokens: contextLength, thresholdTokens: 10, tailTokens: 0, summaryTokens: 0 }),
        plan: async () => {
          writeSync(2, 'it computes');
          for (;;);
        },
      }),
    };`,
  );
});
afterAll(() => rmSync(cwd, { recursive: true, force: true }));

const commands = [
  ['compare', 'session.json', '--html', 'page.html'],
  ['compact', 'session.json', '--force', '--out', 'smaller.json'],
  ['inspect', 'session.json', '--window', '2k', '--html', 'page.html'],
] as const;

describe.skipIf(process.platform === 'win32')('a command whose engine computes', () => {
  it.each(commands.map((command, at) => [command[0], command, at === 0 ? 'SIGTERM' : 'SIGINT'] as const))(
    '%s is ended by a signal at once, and writes no file',
    async (_, command, signal) => {
      const running = runningProgram([...command, '--engine', './busy.mjs'], { cwd });
      await running.written(/it computes/);
      running.process.kill(signal);
      expect(await running.ended).toBe(signal);
      expect(readdirSync(cwd)).not.toContain(command.at(-1));
    },
  );

  it('leaves nothing behind once the file is written', async () => {
    expect(readdirSync(cwd).some((name) => name.endsWith('.part'))).toBe(true);
    for (const [name, ...rest] of commands)
      expect((await runHere([name, ...rest, '--engine', 'compressor'], { cwd })).code).toBe(0);
    expect(readdirSync(cwd).sort()).toEqual(['busy.mjs', 'page.html', 'session.json', 'smaller.json']);
  });
});
