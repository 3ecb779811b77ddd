import { hostname } from 'node:os';
import { PalimpsestError } from '@palimpsest/core';
import type { Worker } from 'bullmq';
import { compressShard } from '../node/compress-shard.ts';
import { mergeSignals } from '../node/merge-signals.ts';
import { openRun } from '../node/open-run.ts';
import { chooseSummarizer } from '../node/summarizer-choice.ts';
import { OptionCheck } from '../option-check.ts';
import { openCallPermits } from './call-permits.ts';
import { loadBullmq } from './load-bullmq.ts';
import { briefConnection, checkQueuePlace, defaultQueue, lastingConnection, type QueuePlace } from './queue-place.ts';
import { reachable } from './reachable.ts';
import type { ShardJob, ShardJobData, ShardJobProgress, ShardJobResult } from './shard-job.ts';

export interface QueueWorkerOptions extends QueuePlace {
  /** Number of threads per shard. @default one per processor, at most 8 */
  readonly workers?: number | undefined;
  /** Number of shards to compress at the same time. @default 1 */
  readonly shards?: number | undefined;
  /** A worker that does not renew its lock for this long loses its shard. Milliseconds. @default 30_000 */
  readonly lockMs?: number | undefined;
  /** Stop when the queue is empty. @default false */
  readonly untilDone?: boolean | undefined;
  /** Stops the worker. Its unfinished shards go back to the queue and keep their progress. */
  readonly signal?: AbortSignal | undefined;
  readonly onEvent?: ((event: QueueWorkerEvent) => void) | undefined;
}

/** An event of a queue worker. `lost`: another worker took the shard over; `returned`: it went back to the queue. */
export type QueueWorkerEvent =
  | { readonly type: 'started' | 'done' | 'lost' | 'returned'; readonly input: string }
  | { readonly type: 'failed'; readonly input: string; readonly reason: string }
  | { readonly type: 'error'; readonly reason: string };

/** How often a shard may stall a worker before the shard counts as failed. */
const maxStalls = 20;
const progressMs = 1_000;
const idleCheckMs = 500;

/**
 * Runs a worker on the queue until it is stopped. The worker compresses each shard into its own temporary files, and
 * moves them into place when they are complete and it still holds the shard. It continues where a dead worker stopped.
 * @returns the number of shards it finished
 * @throws {PalimpsestError} `QUEUE_UNREACHABLE` if the server cannot be reached at the start; `OPTION_INVALID`,
 * `DEPENDENCY_MISSING`
 */
export async function runQueueWorker(options: QueueWorkerOptions = {}): Promise<number> {
  const check = new OptionCheck();
  const lockMs = check.wholeNumber('lockMs', options.lockMs, 30_000, 1);
  const shards = check.wholeNumber('shards', options.shards, 1, 1);
  check.wholeNumber('workers', options.workers, 1, 1);
  checkQueuePlace(check, options);
  check.finish();
  const libraries = await loadBullmq();
  const { bullmq } = libraries;
  const name = options.queue ?? defaultQueue;
  // A server that cannot be reached now is an error. If it goes away later, the worker waits for it.
  await reachable(options, (connect) =>
    connect(new bullmq.Queue(name, { connection: briefConnection(options) })).waitUntilReady(),
  );
  const { onEvent = () => undefined } = options;
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
    const { controller, release } = mergeSignals(stop, lost);
    try {
      const result = await compressJob(job, token!, controller.signal);
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
    let reportedAt = 0;
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
          if (Date.now() - reportedAt < progressMs) return;
          reportedAt = Date.now();
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
    concurrency: shards,
    lockDuration: lockMs,
    stalledInterval: lockMs,
    maxStalledCount: maxStalls,
    drainDelay: 1,
    runRetryDelay: 1_000,
  });
  const lostIds = new Set<string>();
  worker.on('active', ({ id }) => void lostIds.delete(id!));
  worker.on('error', (error) => {
    // BullMQ's errors about a lost job are already reported by the event `lost`.
    if (![...lostIds].some((id) => error.message.includes(id))) onError(error);
  });
  worker.on('lockRenewalFailed', (jobIds: string[]) => {
    for (const id of jobIds) {
      lostIds.add(id);
      worker.cancelJob(id, 'another worker took it over');
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

/** Resolves when the worker should stop. */
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

function lostShard(input: string): PalimpsestError {
  const reason = 'another worker took it over';
  return new PalimpsestError('RUN_UNFINISHED', `"${input}" was not finished by this worker: ${reason}.`, {
    file: input,
    reason,
  });
}
