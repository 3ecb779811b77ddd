import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { bundleProcess } from '../../../../test/bundle-process.ts';
import { runningProcess } from '../../../../test/running-process.ts';

let cwd: string;
let program: Awaited<ReturnType<typeof bundleProcess>>;
beforeAll(async () => {
  cwd = mkdtempSync(join(tmpdir(), 'palimpsest-eval-interrupted-'));
  writeFileSync(
    join(cwd, 'busy.mjs'),
    `import { writeSync } from 'node:fs';
    export default () => {
      writeSync(2, 'it computes');
      for (;;);
    };`,
  );
  program = await bundleProcess(import.meta.url, '../../src/cli.ts');
});
afterAll(() => {
  program.remove();
  rmSync(cwd, { recursive: true, force: true });
});

const isAlive = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
};

const start = (...arguments_: readonly string[]) =>
  runningProcess(process.execPath, [program.script, '--sample', '--no-baselines', ...arguments_], { cwd });

describe.skipIf(process.platform === 'win32')('palimpsest-eval', () => {
  it.each(['SIGINT', 'SIGTERM'] as const)(
    'is ended by %s while a module computes, and writes no file',
    async (signal) => {
      const running = start('--module', './busy.mjs', '--html', 'lost.html');
      await running.written(/it computes/);
      running.process.kill(signal);
      expect(await running.ended).toBe(signal);
      expect(readdirSync(cwd)).not.toContain('lost.html');
    },
  );

  it('is ended while a module computes, also when it runs commands', async () => {
    const echo = `${process.execPath} -e "process.stdin.resume();setTimeout(()=>console.log('[]'),50)"`;
    const running = start('--command', echo, '--module', './busy.mjs');
    await running.written(/it computes/);
    running.process.kill('SIGINT');
    expect(await running.ended).toBe('SIGINT');
  });

  it('ends a running command with itself', async () => {
    const sleep = `${process.execPath} -e "require('fs').writeFileSync('pid',String(process.pid));setInterval(()=>{},1000)"`;
    const running = start('--command', sleep);
    const pidFile = join(cwd, 'pid');
    await expect.poll(() => existsSync(pidFile) && readFileSync(pidFile, 'utf8'), { timeout: 60_000 }).toBeTruthy();
    running.process.kill('SIGTERM');
    expect(await running.ended).toBe('SIGTERM');
    const pid = Number(readFileSync(pidFile, 'utf8'));
    await expect.poll(() => isAlive(pid), { timeout: 10_000 }).toBe(false);
  });
});
