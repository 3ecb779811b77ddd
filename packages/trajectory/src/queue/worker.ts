import { stat } from 'node:fs/promises';
import { hostname } from 'node:os';
import { setTimeout as pause } from 'node:timers/promises';
import { PalimpsestError } from '@palimpsest/core';
import {
  checkOptions,
  functionRule,
  type OptionRules,
  signalRule,
  switchRule,
  wholeNumberRule,
} from '@palimpsest/core/authoring';
import type { Worker } from 'bullmq';
import { compactShard } from '../files/compact-shard.ts';
import { cannotContinue } from '../files/file-failure.ts';
import { chooseSummarizer, runRules, withRun } from '../files/run.ts';
import { connect, lasting, placeRules, type QueueConnection, type QueuePlace, queryQueue } from './connect.ts';
import type { ShardJob, ShardJobData, ShardJobProgress, ShardJobResult } from './shard-job.ts';

/** An event of a queue worker. `lost`: another worker took the shard over; `returned`: it went back to the queue. */
export type QueueWorkerEvent =
  | { readonly type: 'started' | 'done' | 'lost' | 'returned'; readonly input: string }
  | { readonly type: 'failed'; readonly input: string; readonly reason: string }
  | { readonly type: 'error'; readonly reason: string };

export interface QueueWorkerOptions extends QueuePlace {
  /** Number of threads per shard. @default one per processor, at most 8 */
  readonly workers?: number | undefined;
  /** Number of shards to compact at the same time. @default 1 */
  readonly shards?: number | undefined;
  /** Milliseconds after which a worker that does not renew its lock loses its shard. @default 30_000 */
  readonly lockMs?: number | undefined;
  /** Stop when the queue is empty. @default false */
  readonly untilDone?: boolean | undefined;
  /** Stops the worker. Its unfinished shards go back to the queue and keep their progress. */
  readonly signal?: AbortSignal | undefined;
  readonly onEvent?: ((event: QueueWorkerEvent) => void) | undefined;
}

const rules: OptionRules = {
  ...placeRules,
  workers: wholeNumberRule(1),
  shards: wholeNumberRule(1),
  lockMs: wholeNumberRule(1),
  untilDone: switchRule,
  signal: signalRule,
  onEvent: functionRule,
};

/** What the jobs of a worker have in common. */
interface JobContext {
  readonly workers: number | undefined;
  readonly lockMs: number;
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
 * Runs a worker on the queue until it is stopped. The worker compacts each shard into its own temporary files, and
 * moves them into place when they are complete and it still holds the shard. It continues where a dead worker stopped.
 * @returns the number of shards it finished
 * @throws {PalimpsestError} `QUEUE_UNREACHABLE` if the server cannot be reached at the start; `OPTION_INVALID`,
 * `DEPENDENCY_MISSING`
 */
export async function runQueueWorker(options: QueueWorkerOptions = {}): Promise<number> {
  checkOptions('runQueueWorker', options, rules);
  const { lockMs = 30_000, shards: concurrency = 1 } = options;
  // A server that cannot be reached now is an error. If it goes away later, the worker waits for it.
  await queryQueue(options, ({ shards }) => shards.waitUntilReady());
  let finished = 0;
  const onEvent = (event: QueueWorkerEvent): void => {
    if (event.type === 'done') finished++;
    options.onEvent?.(event);
  };
  const onError = (error: Error): void => onEvent({ type: 'error', reason: error.message });
  const { workers, signal: stop = new AbortController().signal } = options;
  const connection = await connect(options, lasting, onError);
  const worker = startWorker(connection, concurrency, { workers, lockMs, stop, onEvent, onError });
  while (!stop.aborted && !(options.untilDone && (await isEmpty(connection))))
    await pause(idleCheckMs, undefined, { signal: stop }).catch(() => undefined);
  await worker.close();
  await connection.close();
  return finished;
}

/** True if no shard waits or runs. */
async function isEmpty({ shards }: QueueConnection): Promise<boolean> {
  const left = await shards.getJobCountByTypes('wait', 'delayed', 'active').catch(() => 1);
  return left === 0;
}

/** Starts to take jobs from the queue, and cancels a job when another worker took it over. */
function startWorker({ bullmq, redis, shards }: QueueConnection, concurrency: number, context: JobContext): Worker {
  const { lockMs, onError } = context;
  const worker = new bullmq.Worker<ShardJobData, ShardJobResult>(
    shards.name,
    // BullMQ passes the signal only to a function with three parameters.
    async (job: ShardJob, token: string | undefined, lost: AbortSignal | undefined) => {
      const result = await runJob(job, token!, lost!, context);
      // Leaves a job that this worker no longer holds as it is.
      if (result === null) throw new bullmq.WaitingError();
      return result;
    },
    {
      connection: redis,
      concurrency,
      lockDuration: lockMs,
      stalledInterval: lockMs,
      maxStalledCount: maxStalls,
      drainDelay: 1,
      runRetryDelay: 1_000,
    },
  );
  worker.on('lockRenewalFailed', (ids: string[]) => {
    for (const id of ids) worker.cancelJob(id, 'another worker took it over');
  });
  worker.on('error', (error) => {
    // A lost job is reported by the event `lost`.
    if (!error.message.startsWith('could not renew lock')) onError(error);
  });
  return worker;
}

/**
 * Compacts the shard of a job and reports how it ended.
 * @param lost fires when another worker took the job over
 * @returns `null` if this worker no longer holds the job
 */
async function runJob(
  job: ShardJob,
  token: string,
  lost: AbortSignal,
  context: JobContext,
): Promise<ShardJobResult | null> {
  const { input } = job.data;
  const { stop, onEvent } = context;
  onEvent({ type: 'started', input });
  try {
    const result = await compactJob(job, token, AbortSignal.any([stop, lost]), context);
    onEvent({ type: 'done', input });
    return result;
  } catch (error) {
    if (lost.aborted || (PalimpsestError.is(error) && error.code === 'RUN_UNFINISHED')) {
      onEvent({ type: 'lost', input });
      return null;
    }
    if (stop.aborted) {
      await job.moveToWait(token);
      onEvent({ type: 'returned', input });
      return null;
    }
    onEvent({ type: 'failed', input, reason: error instanceof Error ? error.message : String(error) });
    throw error;
  }
}

async function compactJob(
  job: ShardJob,
  token: string,
  signal: AbortSignal,
  { workers, lockMs, onError }: JobContext,
): Promise<ShardJobResult> {
  const { input, output, settings, summarizer, tokenizer } = job.data;
  const { size: totalBytes } = await stat(input).catch(() => ({ size: 0 }));
  let reportedAt = 0;
  const onProgress = (bytes: number, { rows }: { readonly rows: number }): void => {
    if (Date.now() - reportedAt < progressMs) return;
    reportedAt = Date.now();
    const progress: ShardJobProgress = { bytes, totalBytes, rows, worker: `${hostname()}:${process.pid}` };
    job.updateProgress({ ...progress }).catch(onError);
  };
  const options = { ...settings, tokenizer, workers, signal, summarizer: chooseSummarizer(summarizer) };
  // The settings come from Redis.
  checkOptions('a job of the queue', options, runRules);
  return withRun(options, async (run) => {
    const { totals, wallMs } = await compactShard({
      input,
      output,
      run,
      unfinished: 'resume-if-same',
      onProgress,
      async mayFinish() {
        if ((await job.extendLock(token, lockMs)) !== 1) throw cannotContinue(output, 'another worker took it over');
      },
    });
    return { totals, wallMs };
  });
}
