import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
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
});
