import { checkOptions } from '@palimpsest/core/authoring';
import { addTotals, noTotals, type RunTotals } from '../metrics.ts';
import { placeRules, type QueuePlace, queryQueue } from './connect.ts';
import type { ShardJobProgress } from './shard-job.ts';

/** The state of a queue. The counts of shards add up to `total`. */
export interface QueueStatus {
  readonly queue: string;
  /** Number of workers that are connected to the server. */
  readonly workers: number;
  readonly shards: {
    readonly total: number;
    readonly waiting: number;
    /** Waiting for a retry. */
    readonly delayed: number;
    /** Held by a worker. If the worker dies, another one takes them over within a minute. */
    readonly running: number;
    readonly done: number;
    /** Failed after all attempts. */
    readonly failed: number;
  };
  /** Totals of the finished shards. */
  readonly totals: RunTotals;
  readonly active: readonly ActiveShard[];
  readonly failures: readonly { readonly input: string; readonly reason: string; readonly attempts: number }[];
}

/** A shard that a worker holds. */
export interface ActiveShard {
  readonly input: string;
  /** The worker's last progress report; `null` before the first one. */
  readonly progress: ShardJobProgress | null;
  /** How many times a worker has started it. */
  readonly starts: number;
}

/**
 * Reads the state of a queue.
 * @throws {PalimpsestError} `QUEUE_UNREACHABLE`, `OPTION_INVALID`, `DEPENDENCY_MISSING`
 */
export async function queueStatus(place: QueuePlace = {}): Promise<QueueStatus> {
  checkOptions('queueStatus', place, placeRules);
  return queryQueue(place, async ({ shards }) => {
    const counts = await shards.getJobCounts('wait', 'delayed', 'active', 'completed', 'failed');
    const { wait: waiting = 0, delayed = 0, active: running = 0, completed: done = 0, failed = 0 } = counts;
    const finished = await shards.getCompleted(0, -1);
    return {
      queue: shards.name,
      workers: await shards.getWorkersCount(),
      shards: { total: waiting + delayed + running + done + failed, waiting, delayed, running, done, failed },
      totals: finished.map(({ returnvalue }) => returnvalue?.totals ?? noTotals).reduce(addTotals, noTotals),
      active: (await shards.getActive()).map(({ data: { input }, progress, attemptsStarted: starts }) => ({
        input,
        progress: typeof progress === 'object' ? (progress as ShardJobProgress) : null,
        starts,
      })),
      failures: (await shards.getFailed()).map(({ data: { input }, failedReason: reason, attemptsMade: attempts }) => ({
        input,
        reason,
        attempts,
      })),
    };
  });
}
