import { stat } from 'node:fs/promises';
import { hostname } from 'node:os';
import { setTimeout as pause } from 'node:timers/promises';
import { PalimpsestError } from '@palimpsest/core';
import type { Worker } from 'bullmq';
import { compressShard } from '../files/compress-shard.ts';
import { unfinished } from '../files/file-failure.ts';
import { chooseSummarizer, withRun } from '../files/run.ts';
import { RunOptionCheck } from '../options.ts';
import { type CallPermits, openCallPermits } from './call-permits.ts';
import {
  checkPlace,
  lastingConnection,
  loadBullmq,
  type QueuePlace,
  queueNames,
  type ShardJob,
  type ShardJobData,
  type ShardJobProgress,
  type ShardJobResult,
  withQueues,
} from './connect.ts';

/** An event of a queue worker. `lost`: another worker took the shard over; `returned`: it went back to the queue. */
export type QueueWorkerEvent =
  | { readonly type: 'started' | 'done' | 'lost' | 'returned'; readonly input: string }
  | { readonly type: 'failed'; readonly input: string; readonly reason: string }
  | { readonly type: 'error'; readonly reason: string };

export interface QueueWorkerOptions extends QueuePlace {
  /** Number of threads per shard. @default one per processor, at most 8 */
  readonly workers?: number | undefined;
  /** Number of shards to compress at the same time. @default 1 */
  readonly shards?: number | undefined;
  /** Milliseconds after which a worker that does not renew its lock loses its shard. @default 30_000 */
  readonly lockMs?: number | undefined;
  /** Stop when the queue is empty. @default false */
  readonly untilDone?: boolean | undefined;
  /** Stops the worker. Its unfinished shards go back to the queue and keep their progress. */
  readonly signal?: AbortSignal | undefined;
  readonly onEvent?: ((event: QueueWorkerEvent) => void) | undefined;
}

/** What the jobs of a worker have in common. */
interface JobContext {
  readonly bullmq: Awaited<ReturnType<typeof loadBullmq>>;
  readonly workers: number | undefined;
  readonly lockMs: number;
  readonly permits: CallPermits;
  /** Stops the worker: its jobs go back to the queue. */
  readonly stop: AbortSignal;
  onEvent(event: QueueWorkerEvent): void;
  onError(error: Error): void;
}

/** How often a shard may stall a worker before the shard counts as failed. */
const maxStalls = 20;
const idleCheckMs = 500;
const progressMs = 1_000;

/**
 * Runs a worker on the queue until it is stopped. The worker compresses each shard into its own temporary files, and
 * moves them into place when they are complete and it still holds the shard. It continues where a dead worker stopped.
 * @returns the number of shards it finished
 * @throws {PalimpsestError} `QUEUE_UNREACHABLE` if the server cannot be reached at the start; `OPTION_INVALID`,
 * `DEPENDENCY_MISSING`
 */
export async function runQueueWorker(options: QueueWorkerOptions = {}): Promise<number> {
  const check = new RunOptionCheck();
  const lockMs = check.wholeNumber('lockMs', options.lockMs, 30_000);
  const concurrency = check.wholeNumber('shards', options.shards, 1);
  check.wholeNumber('workers', options.workers, 1);
  checkPlace(check, options);
  check.finish();
  // A server that cannot be reached now is an error. If it goes away later, the worker waits for it.
  await withQueues(options, ({ shards }) => shards.waitUntilReady());
  const bullmq = await loadBullmq();
  let finished = 0;
  const onEvent = (event: QueueWorkerEvent): void => {
    if (event.type === 'done') finished++;
    options.onEvent?.(event);
  };
  const onError = (error: Error): void => onEvent({ type: 'error', reason: error.message });
  const { workers, signal: stop = new AbortController().signal } = options;
  const permits = openCallPermits(bullmq, options, onError);
  const worker = startWorker(options, concurrency, { bullmq, workers, lockMs, permits, stop, onEvent, onError });
  const stopped = new Promise<void>((resolve) => {
    worker.on('closed', resolve);
    if (stop.aborted) resolve();
    stop.addEventListener('abort', () => resolve(), { once: true });
  });
  await Promise.race([stopped, ...(options.untilDone ? [queueIsEmpty(options, bullmq, stop)] : [])]);
  await worker.close();
  await permits.close();
  return finished;
}

/** Starts to take jobs from the queue, and cancels a job when another worker took it over. */
function startWorker(place: QueuePlace, concurrency: number, context: JobContext): Worker {
  const { bullmq, lockMs, onError } = context;
  const worker = new bullmq.Worker<ShardJobData, ShardJobResult>(
    queueNames(place).shards,
    // BullMQ passes the signal only to a function with three parameters.
    (job: ShardJob, token: string | undefined, lost: AbortSignal | undefined) => runJob(job, token!, lost!, context),
    {
      connection: lastingConnection(place),
      concurrency,
      lockDuration: lockMs,
      stalledInterval: lockMs,
      maxStalledCount: maxStalls,
      drainDelay: 1,
      runRetryDelay: 1_000,
    },
  );
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
  return worker;
}

/** Resolves when no shard waits or runs, or when the worker is stopped. */
async function queueIsEmpty(place: QueuePlace, { Queue }: JobContext['bullmq'], stop: AbortSignal): Promise<void> {
  const queue = new Queue(queueNames(place).shards, { connection: lastingConnection(place) });
  queue.on('error', () => undefined);
  const count = () => queue.getJobCountByTypes('wait', 'prioritized', 'delayed', 'active').catch(() => 1);
  while (!stop.aborted && (await count()) > 0) await pause(idleCheckMs);
  await queue.close();
}

/** Compresses the shard of a job and reports how it ended. @param lost fires when another worker took the job over */
async function runJob(job: ShardJob, token: string, lost: AbortSignal, context: JobContext): Promise<ShardJobResult> {
  const { input } = job.data;
  const { stop, onEvent } = context;
  onEvent({ type: 'started', input });
  try {
    const result = await compressJob(job, token, AbortSignal.any([stop, lost]), context);
    onEvent({ type: 'done', input });
    return result;
  } catch (error) {
    if (lost.aborted || (PalimpsestError.is(error) && error.code === 'RUN_UNFINISHED')) {
      onEvent({ type: 'lost', input });
    } else if (stop.aborted) {
      await job.moveToWait(token);
      onEvent({ type: 'returned', input });
      throw new context.bullmq.WaitingError();
    } else {
      onEvent({ type: 'failed', input, reason: error instanceof Error ? error.message : String(error) });
    }
    throw error;
  }
}

async function compressJob(
  job: ShardJob,
  token: string,
  signal: AbortSignal,
  { workers, lockMs, permits, onError }: JobContext,
): Promise<ShardJobResult> {
  const { input, output, settings, summarizer, ...options } = job.data;
  let reportedAt = 0;
  const onProgress = async (bytes: number, { rows }: { readonly rows: number }): Promise<void> => {
    if (Date.now() - reportedAt < progressMs) return;
    reportedAt = Date.now();
    const { size: totalBytes } = await stat(input);
    const progress: ShardJobProgress = { bytes, totalBytes, rows, worker: `${hostname()}:${process.pid}` };
    await job.updateProgress({ ...progress });
  };
  const runOptions = { ...settings, ...options, workers, signal, gate: permits };
  return withRun({ ...runOptions, summarizer: chooseSummarizer(summarizer) }, async (run) => {
    const { totals, wallMs } = await compressShard({
      input,
      output,
      run,
      unfinished: 'resume-if-same',
      onProgress: (bytes, totals) => void onProgress(bytes, totals).catch(onError),
      async mayFinish() {
        if ((await job.extendLock(token, lockMs)) !== 1) throw unfinished(output, 'another worker took it over');
      },
    });
    return { totals, wallMs };
  });
}
