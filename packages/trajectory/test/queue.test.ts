import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { openaiSummarizer } from '@palimpsest/summary/openai';
import { Redis } from 'ioredis';
import OpenAI from 'openai';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type BundledProcess, bundleProcess } from '../../../test/bundle-process.ts';
import { type LoopbackServer, startLoopbackServer } from '../../../test/loopback-server/index.ts';
import { type RedisServer, redisIsMissing, redisNote, startRedis } from '../../../test/redis-server.ts';
import { compactFiles } from '../src/files.ts';
import { addTotals, noTotals } from '../src/index.ts';
import { type QueueStatus, queueStatus } from '../src/queue.ts';
import { writeGenerated } from './generated-rows.ts';
import { type Ran, type Running, runCli, startCli } from './run-cli.ts';
import { quickTokenizer, scratchFolder } from './scratch.ts';
import { summaryAnswer } from './summary-answer.ts';

/** The pace of the model, slow enough for a worker to be stopped in the middle of a shard. */
const callsPerSecond = 5;
// Longer than a busy machine keeps a worker from renewing its lock.
const lockSeconds = 6;
const shardCount = 5;

if (redisIsMissing) console.warn(`The queue is not tested${redisNote}.`);

describe.skipIf(redisIsMissing)(`a queue on a real Redis${redisNote}`, () => {
  const scratch = scratchFolder();
  const cwd = scratch.path;
  let cli: BundledProcess;
  let redis: RedisServer;
  let model: LoopbackServer;
  const started: Running[] = [];

  let end = async (): Promise<void> => {};

  beforeAll(async () => {
    redis = await startRedis(cwd);
    [cli, model] = await Promise.all([
      bundleProcess(import.meta.url, '../src/cli.ts', '../src/worker-thread.ts'),
      startLoopbackServer(),
    ]);
    end = async () => {
      for (const { child } of started) child.kill('SIGKILL');
      await Promise.all([redis.stop(), model.close()]);
      cli.remove();
    };
  });
  afterAll(() => end());

  const run = (...arguments_: string[]): Promise<Ran> => runCli(cli.script, arguments_, { cwd, env: environment() });
  const work = (...more: string[]): Running => {
    const flags = ['--lock', String(lockSeconds), '--workers', '1', '--until-done', ...more];
    const running = startCli(cli.script, ['worker', ...flags], { cwd, env: environment() });
    started.push(running);
    return running;
  };
  const environment = () => ({ REDIS_URL: redis.url, OPENAI_API_KEY: 'k', OPENAI_BASE_URL: model.openaiUrl });
  const untilLocksExpire = async (queue: string): Promise<void> => {
    const client = new Redis(redis.url);
    const deadline = Date.now() + 60_000;
    while ((await client.keys(`bull:${queue}:*:lock`)).length > 0) {
      if (Date.now() > deadline) throw new Error('the locks never expired');
      await pause(50);
    }
    client.disconnect();
  };
  const status = (): Promise<QueueStatus> => queueStatus({ redis: redis.url });

  it('finishes every shard once, even if workers and the server are killed', async () => {
    const inputs = makeShards(cwd);
    model.play(() => summaryAnswer);
    const tokenizer = quickTokenizer(scratch);
    await compactFiles([join(cwd, 'raw')], {
      out: join(cwd, 'expected'),
      targetTokens: 8_000,
      tokenizer,
      workers: 1,
      summarizer: openaiSummarizer({ model: 'm', client: new OpenAI({ apiKey: 'k', baseURL: model.openaiUrl }) }),
    });
    model.play(paced());

    const settings = ['--target', '8000', '--tokenizer', tokenizer, '--summarizer', 'openai:m'];
    const order = ['enqueue', 'raw', '--out', 'fitted', ...settings];
    expect(await run(...order)).toMatchObject({
      code: 0,
      stdout: `${shardCount} shards enqueued, 0 to run again, 0 already in the queue\n`,
    });
    expect(await run(...order)).toMatchObject({
      stdout: `0 shards enqueued, 0 to run again, ${shardCount} already in the queue\n`,
    });
    expect(await status()).toMatchObject({
      shards: { total: shardCount, waiting: shardCount, running: 0, done: 0 },
    });

    const fitted = join(cwd, 'fitted');
    const truth = watchStatus(status, fitted);
    const workers = [work(), work(), work()];
    const killed = await takeBusy(workers, fitted);
    killed.worker.child.kill('SIGKILL');
    expect((await killed.worker.ended).signal).toBe('SIGKILL');

    const { worker: stopped, shard: held } = await takeBusy(workers, fitted);
    const steady = workers[0]!;
    stopped.child.kill('SIGSTOP');
    const before = steady.said().length;
    await until(
      () => steady.said().slice(before).includes(`${held}\n`),
      'the shard of the stopped worker with another',
    );

    await truth.pause();
    await redis.stop();
    expect(await run('status')).toMatchObject({ code: 1, stderr: expect.stringContaining('cannot be reached') });
    await redis.start();
    truth.goOn();
    stopped.child.kill('SIGCONT');

    for (const worker of [steady, stopped]) {
      const { code, stderr } = await worker.ended;
      expect(code, stderr).toBe(0);
    }
    await truth.stop();
    expect(truth.faults).toEqual([]);

    for (const input of inputs) {
      expect(readFileSync(join(cwd, 'fitted', input)).equals(readFileSync(join(cwd, 'expected', input))), input).toBe(
        true,
      );
    }
    const leftover = readdirSync(join(cwd, 'fitted')).filter((name) => /journal|part/.test(name));
    expect(leftover).toEqual([]);
    const reports = inputs.map((input) => reportOf(join(cwd, 'fitted', input)));
    const totals = reports.map((report) => report.totals).reduce(addTotals, noTotals);
    const { totals: told, shards, active } = await status();
    expect(shards).toMatchObject({
      total: shardCount,
      done: shardCount,
      failed: 0,
      waiting: 0,
      running: 0,
    });
    expect(active).toEqual([]);
    expect({ ...told, durationMs: 0 }).toEqual({ ...totals, durationMs: 0 });
    expect(`${stopped.said()}${steady.said()}`).toContain('started');
    expect(model.received.length).toBeGreaterThanOrEqual(totals.calls);
  }, 240_000);

  it('reports immediately that no server answers', async () => {
    const nowhere = ['--redis', 'redis://:secret@127.0.0.1:1'];
    for (const command of [['status'], ['worker'], ['enqueue', 'raw']]) {
      const { code, stdout, stderr } = await run(...command, ...nowhere);
      expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
      expect(stderr).toBe(
        'palimpsest-trajectory: The queue at redis://127.0.0.1:1 cannot be reached (ECONNREFUSED). Check the address and whether the server is running.\n',
      );
    }
  });

  it('returns its shard to the queue when it is stopped, and reports which shards failed and why', async () => {
    const raw = join(cwd, 'second');
    mkdirSync(raw);
    writeGenerated(join(raw, 'shard-0.jsonl'), 1_000_000, {
      smallCharacters: 4_000,
      largeCharacters: 60_000,
      largeEvery: 12,
    });
    const damaged = scratch.write('second/zz.jsonl.gz', gzipSync('{"conversations":[]}\n'.repeat(999)).subarray(0, 60));
    model.play(paced());
    const place = ['--queue', 'second'];
    const options = ['--out', 'second-out', '--target', '8000', '--summarizer', 'openai:m', '--attempts', '1'];
    const order = ['enqueue', 'second', ...place, ...options];
    expect(await run(...order)).toMatchObject({
      code: 0,
      stdout: '2 shards enqueued, 0 to run again, 0 already in the queue\n',
    });
    const first = work(...place);
    await until(() => unfinishedShard(first, join(cwd, 'second-out')), 'a shard half done');
    first.child.kill('SIGSTOP');
    await untilLocksExpire('second');
    first.child.kill('SIGCONT');
    await until(() => first.said().includes(' lost '), 'the news that the shard is lost');
    await until(() => unfinishedShard(first, join(cwd, 'second-out')), 'the shard again, half done');
    first.child.kill('SIGTERM');
    const ended = await first.ended;
    expect(ended.code).toBe(0);
    expect(ended.stderr).toMatch(/returned \S+shard-0\.jsonl\n/);
    const { shards } = await queueStatus({ redis: redis.url, queue: 'second' });
    expect(shards).toMatchObject({ total: 2, running: 0, done: 0 });

    const second = await work(...place).ended;
    expect(second.stderr).toMatch(/done \S+shard-0\.jsonl\n/);
    const told = await run('status', ...place);
    expect(told).toMatchObject({ code: 3, stdout: expect.stringContaining('2 shards: 1 done, 0 running') });
    expect(told.stdout).toMatch(
      /failed {2}\S+zz\.jsonl\.gz {2}after 1 attempt: .*compressed data (is damaged|ends too early)/,
    );

    writeFileSync(damaged, gzipSync(''));
    expect(await run(...order)).toMatchObject({
      stdout: '0 shards enqueued, 1 to run again, 1 already in the queue\n',
    });
    expect((await work(...place).ended).code).toBe(0);
    expect(await run('status', ...place)).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('2 shards: 2 done'),
    });
    expect(readdirSync(join(cwd, 'second-out')).filter((name) => /journal|part/.test(name))).toEqual([]);

    rmSync(join(cwd, 'second-out/shard-0.jsonl'));
    expect(await run(...order)).toMatchObject({
      stdout: '0 shards enqueued, 1 to run again, 1 already in the queue\n',
    });
  });
});

interface Truth {
  readonly seen: readonly QueueStatus[];
  readonly faults: readonly string[];
  pause(): Promise<void>;
  goOn(): void;
  stop(): Promise<void>;
}

/** Polls the status and compares it with the files on disk. */
function watchStatus(status: () => Promise<QueueStatus>, folder: string): Truth {
  const seen: QueueStatus[] = [];
  const faults: string[] = [];
  let isRunning = true;
  let round: Promise<void> = Promise.resolve();
  const outputs = (): number =>
    existsSync(folder) ? readdirSync(folder).filter((name) => /^shard-\d+\.jsonl$/.test(name)).length : 0;
  const look = async (): Promise<void> => {
    while (isRunning) {
      const before = outputs();
      const now = await status();
      const after = outputs();
      const { total, ...states } = now.shards;
      const sum = Object.values(states).reduce((one, other) => one + other, 0);
      if (total !== shardCount || sum !== total) faults.push(`${sum} of ${total} shards: ${JSON.stringify(states)}`);
      // An output is renamed before its job is completed: three workers may be between the two.
      if (now.shards.done > after || now.shards.done < before - 3)
        faults.push(`${now.shards.done} done, ${before} to ${after} there`);
      if (now.shards.done < (seen.at(-1)?.shards.done ?? 0)) faults.push('fewer are done than were');
      seen.push(now);
      await pause(100);
    }
  };
  const goOn = (): void => {
    isRunning = true;
    round = look().catch((error: Error) => void faults.push(error.message));
  };
  const stop = async (): Promise<void> => {
    isRunning = false;
    await round;
  };
  goOn();
  return { seen, faults, pause: stop, goOn, stop };
}

/** Answers one call after another, at the pace of the model. */
function paced(): () => Promise<typeof summaryAnswer> {
  let last: Promise<unknown> = Promise.resolve();
  return async () => {
    last = last.then(() => pause(1_000 / callsPerSecond));
    await last;
    return summaryAnswer;
  };
}

function makeShards(cwd: string): string[] {
  mkdirSync(join(cwd, 'raw'));
  return Array.from({ length: shardCount }, (_, index) => {
    const name = `shard-${index}.jsonl`;
    const sizes = { smallCharacters: 20_000 - index, largeCharacters: 60_000, largeEvery: 4, seed: index };
    writeGenerated(join(cwd, 'raw', name), 700_000, sizes);
    return name;
  });
}

/** Waits for the first of several workers that is in the middle of a shard, and removes it from the list. */
async function takeBusy(workers: Running[], folder: string): Promise<{ worker: Running; shard: string }> {
  let found: { worker: Running; shard: string } | undefined;
  const isThere = (): boolean => {
    for (const worker of workers) {
      const shard = unfinishedShard(worker, folder);
      if (shard !== null) found = { worker, shard };
    }
    return found !== undefined;
  };
  await until(isThere, 'a shard half done');
  workers.splice(workers.indexOf(found!.worker), 1);
  return found!;
}

/** The shard that a worker has started and not finished, once part of it is on disk. */
function unfinishedShard(worker: Running, folder: string): string | null {
  const said = worker.said();
  // Not a shard that it has finished or lost since.
  const input = said
    .slice(said.lastIndexOf(' started '))
    .match(/^ started (\S+)\n(?!.* (?:done|lost|failed|returned) )/s)?.[1];
  if (!input || !existsSync(folder)) return null;
  const name = basename(input);
  const isBegun = readdirSync(folder)
    .filter((file) => file.startsWith(`${name}.journal-`))
    .some((file) => /"lines":[1-9]/.test(textOf(join(folder, file))));
  return isBegun ? name : null;
}

/** The text of a file; `''` if a worker has just renamed or removed it. */
function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}

function reportOf(output: string): { totals: typeof noTotals } {
  return JSON.parse(readFileSync(output.replace(/\.jsonl$/, '.report.json'), 'utf8')) as { totals: typeof noTotals };
}

async function until(holds: () => unknown, what: string): Promise<void> {
  const started = Date.now();
  while (!holds()) {
    if (Date.now() - started > 60_000) throw new Error(`never came: ${what}`);
    await pause(20);
  }
}
