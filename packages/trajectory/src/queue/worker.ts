import type { Worker } from 'bullmq';
import { RunOptionCheck } from '../option-check.ts';
import { openCallPermits } from './call-permits.ts';
import { loadBullmq } from './load-bullmq.ts';
import { briefConnection, checkQueuePlace, defaultQueue, lastingConnection, type QueuePlace } from './queue-place.ts';
import { reachable } from './reachable.ts';
import { type JobContext, runJob } from './run-job.ts';
import type { ShardJob, ShardJobData, ShardJobResult } from './shard-job.ts';
import type { QueueWorkerEvent } from './worker-event.ts';

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

/** How often a shard may stall a worker before the shard counts as failed. */
const maxStalls = 20;
const idleCheckMs = 500;

/**
 * Runs a worker on the queue until it is stopped. The worker compresses each shard into its own temporary files, and
 * moves them into place when they are complete and it still holds the shard. It continues where a dead worker stopped.
 * @returns the number of shards it finished
 * @throws {PalimpsestError} `QUEUE_UNREACHABLE` if the server cannot be reached at the start; `OPTION_INVALID`,
 * `DEPENDENCY_MISSING`
 */
export async function runQueueWorker(options: QueueWorkerOptions = {}): Promise<number> {
  const { lockMs, shards } = checkOptions(options);
  const libraries = await loadBullmq();
  const { bullmq } = libraries;
  const name = options.queue ?? defaultQueue;
  // A server that cannot be reached now is an error. If it goes away later, the worker waits for it.
  await reachable(options, (connect) =>
    connect(new bullmq.Queue(name, { connection: briefConnection(options) })).waitUntilReady(),
  );
  let finished = 0;
  const onEvent = (event: QueueWorkerEvent): void => {
    if (event.type === 'done') finished++;
    options.onEvent?.(event);
  };
  const onError = (error: Error): void => onEvent({ type: 'error', reason: error.message });
  const permits = openCallPermits(libraries, options, onError);
  const context = { bullmq, workers: options.workers, lockMs, permits, stop: options.signal, onEvent, onError };
  const worker = startWorker(name, options, shards, context);
  await stopped(worker, options, () => isQueueEmpty(name, options, context));
  await worker.close();
  await permits.close();
  return finished;
}

function checkOptions(options: QueueWorkerOptions): { readonly lockMs: number; readonly shards: number } {
  const check = new RunOptionCheck();
  const lockMs = check.wholeNumber('lockMs', options.lockMs, 30_000, 1);
  const shards = check.wholeNumber('shards', options.shards, 1, 1);
  check.wholeNumber('workers', options.workers, 1, 1);
  checkQueuePlace(check, options);
  check.finish();
  return { lockMs, shards };
}

/** Starts to take jobs from the queue, and cancels a job when another worker took it over. */
function startWorker(name: string, place: QueuePlace, shards: number, context: JobContext): Worker {
  const { bullmq, lockMs, onError } = context;
  const worker: Worker<ShardJobData, ShardJobResult> = new bullmq.Worker(
    name,
    // BullMQ passes the signal only to a function with three parameters.
    (job: ShardJob, token: string | undefined, lost: AbortSignal | undefined) => runJob(job, token!, lost, context),
    {
      connection: lastingConnection(place),
      concurrency: shards,
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

async function isQueueEmpty(name: string, place: QueuePlace, { bullmq, onError }: JobContext): Promise<boolean> {
  const queue = new bullmq.Queue(name, { connection: lastingConnection(place) });
  queue.on('error', onError);
  try {
    return (await queue.getJobCountByTypes('wait', 'prioritized', 'delayed', 'active')) === 0;
  } finally {
    await queue.close();
  }
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
