import { addTotals, noTotals, type RunTotals } from '../metrics.ts';
import { RunOptionCheck } from '../option-check.ts';
import { callsPerMinute } from './call-rate.ts';
import { loadBullmq } from './load-bullmq.ts';
import { briefConnection, callsQueueName, checkQueuePlace, defaultQueue, type QueuePlace } from './queue-place.ts';
import { reachable } from './reachable.ts';
import type { ShardJob, ShardJobProgress, ShardQueue } from './shard-job.ts';

/** The state of a queue. The counts of shards add up to `total`. */
export interface QueueStatus {
  readonly queue: string;
  readonly shards: {
    readonly total: number;
    readonly waiting: number;
    /** Waiting for a retry. */
    readonly delayed: number;
    /** Being compressed by a live worker. */
    readonly running: number;
    /** Held by a worker that no longer renews its lock. Another worker will take them over. */
    readonly stalled: number;
    readonly done: number;
    /** Failed after all attempts. */
    readonly failed: number;
  };
  /** Totals of the finished shards. */
  readonly totals: RunTotals;
  readonly active: readonly ActiveShard[];
  readonly failures: readonly { readonly input: string; readonly reason: string; readonly attempts: number }[];
  /** The limit on calls of all workers together, or `null`. */
  readonly callsPerMinute: number | null;
}

/** A shard that a worker holds. */
export interface ActiveShard {
  readonly input: string;
  readonly isStalled: boolean;
  /** The worker's last progress report; `null` before the first one. */
  readonly progress: ShardJobProgress | null;
  /** How many times a worker has started it. */
  readonly starts: number;
}

/** Number of jobs to read at a time. */
const pageSize = 500;

/**
 * Reads the state of a queue.
 * @throws {PalimpsestError} `QUEUE_UNREACHABLE`, `OPTION_INVALID`, `DEPENDENCY_MISSING`
 */
export async function queueStatus(place: QueuePlace = {}): Promise<QueueStatus> {
  const check = new RunOptionCheck();
  checkQueuePlace(check, place);
  check.finish();
  const { bullmq, ioredis } = await loadBullmq();
  const name = place.queue ?? defaultQueue;
  return reachable(place, async (connect) => {
    const { url, ...options } = briefConnection(place);
    const redis = new ioredis.Redis(url!, options);
    redis.on('error', () => undefined);
    try {
      const queue: ShardQueue = connect(new bullmq.Queue(name, { connection: briefConnection(place) }));
      const calls = connect(new bullmq.Queue(callsQueueName(name), { connection: briefConnection(place) }));
      const limit = await calls.getGlobalRateLimit();
      const counts = await queue.getJobCounts('wait', 'prioritized', 'delayed', 'active', 'completed', 'failed');
      const count = (state: string): number => counts[state] ?? 0;
      const active = await Promise.all(
        (await queue.getJobs(['active'])).map(async (job) =>
          activeShard(job, (await redis.exists(queue.toKey(`${job.id}:lock`))) === 0),
        ),
      );
      const stalled = Math.min(active.filter(({ isStalled }) => isStalled).length, count('active'));
      const shards = {
        waiting: count('wait') + count('prioritized'),
        delayed: count('delayed'),
        running: count('active') - stalled,
        stalled,
        done: count('completed'),
        failed: count('failed'),
      };
      return {
        queue: name,
        shards: { total: Object.values(shards).reduce((sum, one) => sum + one, 0), ...shards },
        totals: await totalsOf(queue),
        active,
        failures: (await queue.getJobs(['failed'])).map(({ data, failedReason, attemptsMade }) => ({
          input: data.input,
          reason: failedReason,
          attempts: attemptsMade,
        })),
        callsPerMinute: limit && callsPerMinute(limit),
      };
    } finally {
      redis.disconnect();
    }
  });
}

function activeShard({ data, progress, attemptsStarted }: ShardJob, isStalled: boolean): ActiveShard {
  const reported = typeof progress === 'object' ? (progress as ShardJobProgress) : null;
  return { input: data.input, isStalled, progress: reported, starts: attemptsStarted };
}

async function totalsOf(queue: ShardQueue): Promise<RunTotals> {
  let totals = noTotals;
  for (let from = 0; ; from += pageSize) {
    const jobs = await queue.getJobs(['completed'], from, from + pageSize - 1, true);
    for (const { returnvalue } of jobs) if (returnvalue) totals = addTotals(totals, returnvalue.totals);
    if (jobs.length < pageSize) return totals;
  }
}
