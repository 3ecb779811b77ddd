import { spawn } from 'node:child_process';
import { createReadStream, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type BundledProcess, bundleProcess } from '../../../test/bundle-process.ts';
import { isSyntheticTurn } from '../src/index.ts';
import { generatedRow, randomNumbers, writeGenerated } from './generated-rows.ts';
import { type Ran, runCli, startCli } from './run-cli.ts';
import { quickTokenizer, scratchFolder } from './scratch.ts';

const scratch = scratchFolder();
const cwd = scratch.path;
let cli: BundledProcess;
let tokenizer: string;
beforeAll(async () => {
  cli = await bundleProcess(import.meta.url, '../src/cli.ts', '../src/worker-thread.ts');
  tokenizer = quickTokenizer(scratch);
});
afterAll(() => cli.remove());

/** Runs a shell command; `$CLI` is the program. */
function shell(line: string): Promise<Ran> {
  const child = spawn('bash', ['-c', line], {
    cwd,
    env: { ...process.env, CLI: `${process.execPath} ${cli.script}` },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let [stdout, stderr] = ['', ''];
  child.stdout.on('data', (chunk: Buffer) => {
    stdout += chunk.toString();
  });
  child.stderr.on('data', (chunk: Buffer) => {
    stderr += chunk.toString();
  });
  return new Promise((resolve) => child.on('close', (code, signal) => resolve({ code, signal, stdout, stderr })));
}

const turnsOf = (line: string): unknown[] => (JSON.parse(line) as { conversations: unknown[] }).conversations;

it('lists the options of the default command in the help of the program', async () => {
  const { code, stdout } = await runCli(cli.script, ['--help'], { cwd });
  expect(code).toBe(0);
  for (const option of ['--target <tokens>', '--out <path>', '--summarizer <name>', 'enqueue'])
    expect(stdout).toContain(option);
});

// These tests use shell pipes, so they do not run on Windows.
describe.skipIf(process.platform === 'win32')('as a filter', () => {
  it('writes the same rows as --out, and keeps small rows byte for byte', async () => {
    writeGenerated(join(cwd, 'in.jsonl'), 400_000, { largeEvery: 10 });
    const input = readFileSync(join(cwd, 'in.jsonl'), 'utf8');
    const broken = input.replace('\n', '\n{"conversations":[{"from":"king","value":"x"}]}\n\n');
    scratch.write('broken.jsonl', broken);
    const filtered = await runCli(cli.script, ['--target', '8000'], { cwd, stdin: broken });
    expect(filtered).toMatchObject({
      code: 3,
      stderr: '-:2: rejected: conversations: turn 0 has the unknown "from" "king"\n',
    });
    await runCli(cli.script, ['broken.jsonl', '--out', 'out.jsonl', '--target', '8000', '--quiet'], { cwd });
    expect(filtered.stdout).toBe(readFileSync(join(cwd, 'out.jsonl'), 'utf8'));
    const [before, after] = [input, filtered.stdout].map((text) => text.trimEnd().split('\n')) as [string[], string[]];
    expect(after).toHaveLength(before.length);
    const compacted = after.flatMap((line, index) => (line === before[index] ? [] : [index]));
    expect(compacted.length).toBeGreaterThan(0);
    for (const index of compacted) {
      expect(index % 10).toBe(9);
      expect(turnsOf(after[index]!).filter(isSyntheticTurn)).toHaveLength(1);
    }
  });

  it('accepts gzip, a last line without a line end, and empty input', async () => {
    const rows = [1, 2].map((id) => generatedRow(randomNumbers(id), id, 2_000));
    writeFileSync(join(cwd, 'two.gz'), gzipSync(rows.join('\n')));
    expect(await shell('$CLI < two.gz')).toMatchObject({ code: 0, stdout: `${rows.join('\n')}\n`, stderr: '' });
    expect(await shell('$CLI < /dev/null')).toMatchObject({ code: 0, stdout: '', stderr: '' });
  });

  it('writes each row as soon as it is done', async () => {
    const { child, ended } = startCli(cli.script, [], { cwd, keepsOpen: true });
    for (const id of [1, 2, 3]) {
      const row = `${generatedRow(randomNumbers(id), id, 1_000)}\n`;
      const answer = new Promise<string>((resolve) => child.stdout!.once('data', resolve));
      child.stdin!.write(row);
      expect(await answer).toBe(row);
    }
    child.stdin!.end();
    expect((await ended).code).toBe(0);
  });

  it('ends without an error when head closes the pipe', async () => {
    const row = generatedRow(randomNumbers(1), 1, 3_000);
    scratch.write('row.jsonl', row);
    const { code, stdout, stderr } = await shell(
      'yes "$(cat row.jsonl)" | $CLI --metrics m.jsonl | head -n 3; declare -p PIPESTATUS',
    );
    expect({ code, lines: stdout.split('\n'), stderr }).toEqual({
      code: 0,
      lines: [row, row, row, 'declare -a PIPESTATUS=([0]="141" [1]="0" [2]="0")', ''],
      stderr: '',
    });
  });

  it('processes 10,000 rows per second in two processes under xargs', async () => {
    const [shards, perShard] = [3, 16_000];
    const small = Array.from({ length: 50 }, (_, id) => `${generatedRow(randomNumbers(id), id, 600)}\n`);
    const large = `${generatedRow(randomNumbers(9), 9, 40_000)}\n`;
    for (let shard = 0; shard < shards; shard++) {
      const rows = Array.from({ length: perShard }, (_, index) => (index % 2_000 === 7 ? large : small[index % 50]));
      scratch.write(`shards/${shard}.jsonl`, rows.join(''));
    }
    const { code, stderr } = await shell(
      `TIMEFORMAT='%U %S'; time printf '%s\\n' shards/*.jsonl | xargs -P2 -I{} sh -c '$CLI --target 8000 --tokenizer ${tokenizer} < {} > {}.out'`,
    );
    expect({ code, stderr }).toEqual({ code: 0, stderr: expect.stringMatching(/^[\d.]+ [\d.]+\n$/) });
    for (const name of readdirSync(join(cwd, 'shards')).filter((one) => one.endsWith('.out'))) {
      const before = readFileSync(join(cwd, 'shards', name.replace(/\.out$/, '')), 'utf8').split('\n');
      const after = readFileSync(join(cwd, 'shards', name), 'utf8').split('\n');
      expect(after).toHaveLength(before.length);
      const changed = after.filter((line, index) => line !== before[index]);
      expect(changed).toHaveLength(perShard / 2_000);
    }
    // Processor time instead of elapsed time, because other programs share the machine.
    const [user, system] = stderr.split(' ').map(Number) as [number, number];
    expect((shards * perShard) / ((user + system) / 2)).toBeGreaterThan(10_000);
  });

  it('reports an error in one line and by its exit code', async () => {
    const runs: [line: string, code: number, stderr: RegExp][] = [
      [
        '$CLI nothing.jsonl',
        1,
        /^palimpsest-trajectory: Cannot read "nothing.jsonl": there is no such file or folder\.\n$/,
      ],
      ['$CLI --target 0 < /dev/null', 2, /^palimpsest-trajectory: .*--target.*\n$/],
      [
        '$CLI --summarizer openai:m < /dev/null',
        2,
        /summarizer: expected the key of "openai:m" in OPENAI_API_KEY; given: nothing/,
      ],
      [
        '$CLI --tokenizer ./none.mjs < /dev/null',
        2,
        /tokenizer: expected .*; given: "\S*none.mjs", which cannot be loaded/,
      ],
      ['$CLI --resume < /dev/null', 2, /--resume needs --out/],
      ['$CLI in.jsonl --out in.jsonl', 2, /out: expected another file than the input/],
      ['$CLI status --redis http://x', 2, /redis: expected an address such as redis:/],
      ['$CLI --frobnicate', 2, /unknown option '--frobnicate'/],
    ];
    const results = await Promise.all(runs.map(([line]) => shell(`env -u OPENAI_API_KEY ${line}`)));
    for (const [index, [line, code, stderr]] of runs.entries()) {
      expect(results[index], line).toMatchObject({ code, stdout: '', stderr: expect.stringMatching(stderr) });
      expect(results[index]!.stderr.trimEnd(), line).not.toContain('\n');
    }
  });
});

describe('memory', () => {
  const isDeep = Boolean(process.env.PALIMPSEST_DEEP);
  it(`stays under 400 MB over ${isDeep ? '1 GB' : '4 MB (1 GB with PALIMPSEST_DEEP)'} of rows`, async () => {
    const { rows, bytes } = writeGenerated(join(cwd, 'large.jsonl'), isDeep ? 1e9 : 4e6);
    // On Linux, `maxRSS` begins with the memory of the parent process, so there the peak comes from the system's status file.
    const peak = `data:text/javascript,${encodeURIComponent(`
      import { readFileSync } from 'node:fs';
      process.on('exit', () => {
        let peak = process.resourceUsage().maxRSS;
        try { peak = /VmHWM:\\s+(\\d+) kB/.exec(readFileSync('/proc/self/status', 'utf8'))[1]; } catch {}
        process.stderr.write('peak ' + peak + '\\n');
      });`)}`;
    const started = Date.now();
    const { code, stderr } = await runCli(
      cli.script,
      ['large.jsonl', '--out', 'large-out.jsonl', '--workers', '2', '--quiet'],
      {
        cwd,
        flags: ['--import', peak],
      },
    );
    const seconds = (Date.now() - started) / 1_000;
    expect(code, stderr).toBe(0);
    const kilobytes = Math.max(...[...stderr.matchAll(/peak (\d+)/g)].map(([, size]) => Number(size)));
    const { totals } = JSON.parse(readFileSync(join(cwd, 'large-out.report.json'), 'utf8')) as {
      totals: Record<string, number>;
    };
    console.info(`${bytes} bytes, ${rows} rows: ${kilobytes} KB at most, ${seconds.toFixed(1)} s`);
    expect(totals).toMatchObject({ rows, compacted: Math.floor(rows / 40), stillOverLimit: 0, failed: 0 });
    expect(await lineCount(join(cwd, 'large-out.jsonl'))).toBe(rows);
    expect(kilobytes).toBeLessThan(400_000);
  }, 3_600_000);
});

async function lineCount(file: string): Promise<number> {
  let count = 0;
  for await (const chunk of createReadStream(file) as AsyncIterable<Buffer>)
    for (let at = chunk.indexOf(10); at !== -1; at = chunk.indexOf(10, at + 1)) count++;
  return count;
}
