import { existsSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type BundledProcess, bundleProcess } from '../../../test/bundle-process.ts';
import { randomNumbers, writeGenerated } from './generated-rows.ts';
import { runCli, startCli } from './run-cli.ts';
import { scratchFolder, slowingTokenizer } from './scratch.ts';

const deep = Boolean(process.env.PALIMPSEST_DEEP);
const scratch = scratchFolder();
const cwd = scratch.path;
let cli: BundledProcess;
beforeAll(async () => {
  cli = await bundleProcess(import.meta.url, '../src/cli.ts', '../src/worker-thread.ts');
});
afterAll(() => cli.remove());

const lines = (file: string): string[] => readFileSync(file, 'utf8').split('\n').filter(Boolean);
const withoutTimes = (file: string): unknown[] =>
  lines(file).map((line) => ({ ...(JSON.parse(line) as object), durationMs: 0 }));

describe('a killed run', () => {
  for (const [name, killsWanted] of [
    ['out.jsonl', deep ? 10 : 4],
    ['out.jsonl.gz', deep ? 10 : 1],
  ] as const)
    it(`continues after kill -9 at any moment, and writes the same bytes: ${name}`, async () => {
      const input = join(cwd, 'in.jsonl');
      const { rows } = writeGenerated(input, deep ? 60e6 : 1.2e6, { largeEvery: 12 });
      const bad = readFileSync(input, 'utf8').replace(/\n/, '\nno row\n');
      scratch.write('in.jsonl', bad);
      const tokenizer = slowingTokenizer(scratch);
      const flags = [
        '--workers',
        '1',
        '--quiet',
        '--tokenizer',
        tokenizer.module,
        ...(deep ? [] : ['--target', '8000']),
      ];
      const whole = await runCli(cli.script, [input, '--out', `whole-${name}`, ...flags], { cwd });
      expect(whole).toMatchObject({ code: 3, stderr: expect.stringContaining(':2: rejected: not JSON') });
      const calls = Number(readFileSync(tokenizer.calls, 'utf8'));
      expect(calls).toBeGreaterThan(100);

      const seed = Date.now() % 1_000_000;
      const random = randomNumbers(seed);
      const kills: number[] = [];
      let most = 0;
      while (kills.length < killsWanted) {
        // A run is slowed down at a call of the tokenizer and killed after it, so that the speed of the machine does not
        // matter. The first kill comes after half of the work, when some of it is recorded.
        const isFirst = kills.length === 0;
        const slowFrom = isFirst ? Math.floor(calls / 2) : 1 + random(Math.round(calls * 0.9));
        const running = startCli(cli.script, [input, '--out', name, ...flags, '--resume'], {
          cwd,
          env: { SLOW_FROM_CALL: String(slowFrom) },
        });
        const progress = (): number => linesOf(`${name}.journal-`);
        const watch = setInterval(() => {
          if (!existsSync(tokenizer.slow) || (isFirst && progress() === 0)) return;
          clearInterval(watch);
          setTimeout(() => void running.child.kill('SIGKILL'), random(50));
        }, 5);
        const { signal, code, stderr } = await running.ended;
        clearInterval(watch);
        rmSync(tokenizer.slow, { force: true });
        if (signal === 'SIGKILL') {
          kills.push(slowFrom);
          // The output does not exist, or it is complete.
          if (existsSync(join(cwd, name))) compare(name, `whole-${name}`, `seed ${seed}, kill after call ${slowFrom}`);
          most = Math.max(most, progress());
        } else {
          expect(code, `${stderr} (seed ${seed})`).toBe(3);
          compare(name, `whole-${name}`, `seed ${seed}, kills after calls ${kills.join(', ')}`);
          for (const file of readdirSync(cwd).filter((one) => one.startsWith('out.'))) rmSync(join(cwd, file));
        }
      }
      const last = await runCli(cli.script, [input, '--out', name, ...flags, '--resume'], { cwd });
      expect(last.code, last.stderr).toBe(3);
      compare(name, `whole-${name}`, `seed ${seed}, kills after calls ${kills.join(', ')}`);
      expect(lines(join(cwd, 'out.metrics.jsonl'))).toHaveLength(rows);
      expect(withoutTimes(join(cwd, 'out.metrics.jsonl'))).toEqual(withoutTimes(join(cwd, 'whole-out.metrics.jsonl')));
      expect(lines(join(cwd, 'out.rejects.jsonl'))).toHaveLength(1);
      expect(most, 'no kill came after recorded work').toBeGreaterThan(0);
      expect(readdirSync(cwd).filter((one) => /journal|part/.test(one))).toEqual([]);
      for (const file of readdirSync(cwd)) rmSync(join(cwd, file));
    }, 1_200_000);
});

describe('two runs for one output', () => {
  it('cannot both write it: the run that was taken over ends with an error', async () => {
    const input = join(cwd, 'in.jsonl');
    writeGenerated(input, 600_000, { largeEvery: 12 });
    const tokenizer = slowingTokenizer(scratch);
    const flags = ['--workers', '1', '--quiet', '--tokenizer', tokenizer.module, '--target', '8000'];
    const first = startCli(cli.script, [input, '--out', 'out.jsonl', ...flags], {
      cwd,
      env: { SLOW_FROM_CALL: '300' },
    });
    await new Promise<void>((resolve) => {
      const watch = setInterval(() => {
        if (linesOf('out.jsonl.journal-') === 0 || !existsSync(tokenizer.slow)) return;
        clearInterval(watch);
        resolve();
      }, 5);
    });
    first.child.kill('SIGSTOP');
    const refused = await runCli(cli.script, [input, '--out', 'out.jsonl', ...flags], { cwd });
    expect(refused).toMatchObject({ code: 2, stderr: expect.stringContaining('an earlier run stopped; resume it') });
    const other = await runCli(cli.script, [input, '--out', 'out.jsonl', ...flags, '--target', '9000', '--resume'], {
      cwd,
    });
    expect(other).toMatchObject({ code: 2, stderr: expect.stringContaining('other options or another input') });
    expect(await runCli(cli.script, [input, '--out', 'out.jsonl', ...flags, '--resume'], { cwd })).toMatchObject({
      code: 0,
    });
    const written = readFileSync(join(cwd, 'out.jsonl'));
    first.child.kill('SIGCONT');
    const ended = await first.ended;
    expect(ended).toMatchObject({ code: 2, stderr: expect.stringContaining('another run took it over') });
    expect(readFileSync(join(cwd, 'out.jsonl')).equals(written)).toBe(true);
    expect(readdirSync(cwd).filter((name) => /journal|part/.test(name))).toEqual([]);
  });
});

/** The most lines that a journal with this beginning of its name records; 0 without one. */
function linesOf(prefix: string): number {
  const journals = readdirSync(cwd).filter((name) => name.startsWith(prefix));
  const newest = journals.map((name) => JSON.parse(readFileSync(join(cwd, name), 'utf8').split('\n').at(-2) ?? '{}'));
  return Math.max(0, ...newest.map(({ lines: finished = 0 }: { lines?: number }) => finished));
}

function compare(one: string, other: string, note: string): void {
  const [mine, theirs] = [one, other].map((name) => readFileSync(join(cwd, name)));
  expect(mine!.equals(theirs!), note).toBe(true);
  expect(statSync(join(cwd, one)).size).toBeGreaterThan(0);
  if (one.endsWith('.gz')) expect(gunzipSync(mine!).toString('utf8').endsWith('}\n')).toBe(true);
}
