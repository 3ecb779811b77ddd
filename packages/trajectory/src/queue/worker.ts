import { hostname } from 'node:os';
import { PalimpsestError } from '@palimpsest/core';
import type { Worker } from 'bullmq';
import { compressShard } from '../node/compress-shard.ts';
import { openRun } from '../node/open-run.ts';
import { chooseSummarizer } from '../node/summarizer-choice.ts';
import { openCallPermits } from './call-permits.ts';
import { loadBullmq } from './load-bullmq.ts';
import { briefConnection, defaultQueue, lastingConnection, type QueuePlace } from './queue-place.ts';
import { reachable } from './reachable.ts';
import type { ShardJob, ShardJobData, ShardJobProgress, ShardJobResult } from './shard-job.ts';

export interface QueueWorkerOptions extends QueuePlace {
  /** Threads that compress a shard. @default one for each processor, at most 8 */
  readonly workers?: number | undefined;
  /** Shards at a time. @default 1 */
  readonly shards?: number | undefined;
  /** A worker that gives no sign of life for so many milliseconds loses its shard. @default 30_000 */
  readonly lockMs?: number | undefined;
  /** Stop when the queue has nothing left to do. @default false */
  readonly untilDone?: boolean | undefined;
  /** Stop: shards under way go back to the queue, with what is done of them. */
  readonly signal?: AbortSignal | undefined;
  readonly onEvent?: ((event: QueueWorkerEvent) => void) | undefined;
}

/** What a worker tells. */
export type QueueWorkerEvent =
  | { readonly type: 'started' | 'done' | 'lost' | 'returned'; readonly input: string }
  | { readonly type: 'failed'; readonly input: string; readonly reason: string }
  | { readonly type: 'error'; readonly reason: string };

/** How often a worker that stands still may lose a shard before the shard is thought to be the reason. */
const mostStalls = 20;
const progressMs = 1_000;
const idleCheckMs = 500;

/**
 * Works on the queue until it is stopped: takes shards, compresses each into files of its own and puts them in place
 * when they are whole and the shard is still its own. What a dead worker left of a shard is taken over.
 * @returns how many shards it finished
 * @throws {PalimpsestError} `QUEUE_UNREACHABLE` when the server is not there at the start; `OPTION_INVALID`, `DEPENDENCY_MISSING`
 */
export async function runQueueWorker(options: QueueWorkerOptions = {}): Promise<number> {
  const libraries = await loadBullmq();
  const { bullmq } = libraries;
  const name = options.queue ?? defaultQueue;
  // A wrong address is said at once; a server that goes away later is waited for.
  await reachable(options, (connect) =>
    connect(new bullmq.Queue(name, { connection: briefConnection(options) })).waitUntilReady(),
  );
  const { lockMs = 30_000, onEvent = () => undefined } = options;
  const onError = (error: Error): void => onEvent({ type: 'error', reason: error.message });
  const permits = openCallPermits(libraries, options, onError);
  let finished = 0;

  const work = async (
    job: ShardJob,
    token: string | undefined,
    lost: AbortSignal | undefined,
  ): Promise<ShardJobResult> => {
    const { input } = job.data;
    onEvent({ type: 'started', input });
    const stop = options.signal;
    const { signal, release } = firstOf(stop, lost);
    try {
      const result = await compressJob(job, token!, signal);
      finished++;
      onEvent({ type: 'done', input });
      return result;
    } catch (error) {
      if (lost?.aborted) {
        onEvent({ type: 'lost', input });
      } else if (stop?.aborted) {
        await job.moveToWait(token);
        onEvent({ type: 'returned', input });
        throw new bullmq.WaitingError();
      } else {
        const reason = error instanceof Error ? error.message : String(error);
        onEvent({ type: 'failed', input, reason });
      }
      throw error;
    } finally {
      release();
    }
  };

  const compressJob = async (job: ShardJob, token: string, signal: AbortSignal): Promise<ShardJobResult> => {
    const { input, output, settings, tokenizer, summarizer, maxRowBytes } = job.data;
    const run = await openRun(
      {
        ...settings,
        tokenizer,
        summarizer: chooseSummarizer(summarizer, process.env),
        workers: options.workers,
        maxRowBytes,
        signal,
        gate: permits,
      },
      true,
    );
    let told = 0;
    try {
      const { totals, wallMs } = await compressShard({
        input,
        output,
        recipe: run.recipe,
        pool: run.pool,
        unfinished: 'resume',
        skipsFinished: true,
        mark: token.replace(/[^\w-]+/g, '_'),
        maxRowBytes: run.maxRowBytes,
        checkpointMs: 200,
        signal: run.signal,
        onProgress({ bytes, totalBytes, totals: sums }) {
          if (Date.now() - told < progressMs) return;
          told = Date.now();
          const worker = `${hostname()}:${process.pid}`;
          const progress: ShardJobProgress = { bytes, totalBytes, rows: sums.rows, worker };
          job.updateProgress({ ...progress }).catch(onError);
        },
        async mayFinish() {
          const isMine = await job.extendLock(token, lockMs);
          if (isMine !== 1) throw lostShard(input);
        },
      });
      return { totals, wallMs };
    } finally {
      await run.close();
    }
  };

  const worker: Worker<ShardJobData, ShardJobResult> = new bullmq.Worker(name, work, {
    connection: lastingConnection(options),
    concurrency: options.shards ?? 1,
    lockDuration: lockMs,
    stalledInterval: lockMs,
    maxStalledCount: mostStalls,
    drainDelay: 1,
    runRetryDelay: 1_000,
  });
  const lostIds = new Set<string>();
  worker.on('active', ({ id }) => void lostIds.delete(id!));
  worker.on('error', (error) => {
    // What BullMQ says of a job that was lost is said already, by the event `lost`.
    if (![...lostIds].some((id) => error.message.includes(id))) onError(error);
  });
  worker.on('lockRenewalFailed', (jobIds: string[]) => {
    for (const id of jobIds) {
      lostIds.add(id);
      worker.cancelJob(id, 'another worker has it');
    }
  });
  await stopped(worker, options, async () => {
    const queue = new bullmq.Queue(name, { connection: lastingConnection(options) });
    queue.on('error', onError);
    try {
      return (await queue.getJobCountByTypes('wait', 'prioritized', 'delayed', 'active')) === 0;
    } finally {
      await queue.close();
    }
  });
  await worker.close();
  await permits.close();
  return finished;
}

/** Resolves when the worker is to stop. */
async function stopped(
  worker: Worker,
  { signal, untilDone = false }: QueueWorkerOptions,
  isIdle: () => Promise<boolean>,
): Promise<void> {
  await new Promise<void>((resolve) => {
    if (signal?.aborted) resolve();
    signal?.addEventListener('abort', () => resolve(), { once: true });
    worker.on('closed', () => resolve());
    if (!untilDone) return;
    const check = async (): Promise<void> => {
      if (await isIdle().catch(() => false)) resolve();
      else setTimeout(check, idleCheckMs);
    };
    void check();
  });
}

/** Fires with the first of several; `AbortSignal.any` is younger than the oldest Node this runs on. */
function firstOf(...signals: readonly (AbortSignal | undefined)[]): { signal: AbortSignal; release: () => void } {
  const controller = new AbortController();
  const releases = signals.map((signal) => {
    const forward = (): void => controller.abort(signal?.reason);
    if (signal?.aborted) forward();
    signal?.addEventListener('abort', forward, { once: true });
    return () => signal?.removeEventListener('abort', forward);
  });
  return { signal: controller.signal, release: () => releases.forEach((release) => release()) };
}

function lostShard(input: string): PalimpsestError {
  const reason = 'another worker has taken it over';
  return new PalimpsestError('RUN_UNFINISHED', `"${input}" was not finished here: ${reason}.`, { file: input, reason });
}
