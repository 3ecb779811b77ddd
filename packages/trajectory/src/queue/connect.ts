import { PalimpsestError } from '@palimpsest/core';
import type { Job, Queue, RedisOptions } from 'bullmq';
import type { SummarizerChoice } from '../files/run.ts';
import type { RunTotals } from '../metrics.ts';
import { type ResolvedSettings, type RunOptionCheck, shown } from '../options.ts';

/** The server and the name of a queue. */
export interface QueuePlace {
  /** URL of a Redis or Valkey server. @default 'redis://127.0.0.1:6379' */
  readonly redis?: string | undefined;
  /** Name of the queue. Several runs can share a server. @default 'palimpsest-trajectory' */
  readonly queue?: string | undefined;
}

/** The data of a job: one file to compress. Plain JSON, without keys. */
export interface ShardJobData {
  /** Absolute paths, the same on every machine. */
  readonly input: string;
  readonly output: string;
  readonly settings: ResolvedSettings;
  readonly tokenizer: string;
  readonly summarizer: SummarizerChoice;
}

/** The progress of a job, as its worker reports it. */
export interface ShardJobProgress {
  readonly bytes: number;
  readonly totalBytes: number;
  readonly rows: number;
  /** The worker's host name and process id. */
  readonly worker: string;
}

/** The result of a finished job. The report next to the output has the details. */
export interface ShardJobResult {
  readonly totals: RunTotals;
  readonly wallMs: number;
}

export type ShardJob = Job<ShardJobData, ShardJobResult>;

/** The queues at a place: the shards, and the calls to the model, whose rate is limited. */
export interface Queues {
  readonly shards: Queue<ShardJobData, ShardJobResult>;
  readonly calls: Queue;
}

export const defaultRedis = 'redis://127.0.0.1:6379';
export const defaultQueue = 'palimpsest-trajectory';

/** How long a single query waits for the server, in milliseconds. */
const queryTimeoutMs = 5_000;

/** The names of the queues at a place. */
export function queueNames({ queue = defaultQueue }: QueuePlace): Readonly<Record<keyof Queues, string>> {
  return { shards: queue, calls: `${queue}-calls` };
}

/** Connection options for a worker: reconnects until the server is back. */
export function lastingConnection({ redis = defaultRedis }: QueuePlace): RedisOptions {
  return { url: redis, maxRetriesPerRequest: null, retryStrategy: (times) => Math.min(200 * times, 2_000) };
}

/** Connection options for a single query: gives up if the server does not answer. */
function briefConnection({ redis = defaultRedis }: QueuePlace): RedisOptions {
  const timeouts = { connectTimeout: queryTimeoutMs, commandTimeout: queryTimeoutMs };
  return {
    url: redis,
    ...timeouts,
    maxRetriesPerRequest: 1,
    retryStrategy: (times) => (times > 2 ? null : 100 * times),
  };
}

/** Reports an invalid server address to `check`. Does not show it, because it may contain a password. */
export function checkPlace(check: RunOptionCheck, { redis, queue }: QueuePlace): void {
  const isRedis = redis === undefined || (URL.canParse(redis) && /^rediss?:$/.test(new URL(redis).protocol));
  check.expect(isRedis, 'redis', 'an address such as redis://127.0.0.1:6379', shown(redis));
  const isName = queue === undefined || (typeof queue === 'string' && queue !== '');
  check.expect(isName, 'queue', 'a name that is not empty', shown(queue));
}

/**
 * Loads the optional peer dependencies of the queue.
 * @throws {PalimpsestError} `DEPENDENCY_MISSING`
 */
export async function loadBullmq(): Promise<typeof import('bullmq')> {
  try {
    const [bullmq] = await Promise.all([import('bullmq'), import('ioredis')]);
    return bullmq;
  } catch (cause) {
    const command = 'npm install bullmq@6 ioredis@5';
    const message = `The queue needs the packages "bullmq" and "ioredis". Install them: ${command}`;
    throw new PalimpsestError('DEPENDENCY_MISSING', message, { package: 'bullmq', command }, { cause });
  }
}

/**
 * Runs an operation on the queues at a place, and closes them afterwards.
 * @throws {PalimpsestError} `QUEUE_UNREACHABLE` if the server does not answer; `DEPENDENCY_MISSING`
 */
export async function withQueues<Result>(place: QueuePlace, use: (queues: Queues) => Promise<Result>): Promise<Result> {
  const { Queue: Queue_ } = await loadBullmq();
  const [shards, calls] = Object.values(queueNames(place)).map(
    (name) => new Queue_(name, { connection: briefConnection(place) }),
  ) as [Queues['shards'], Queue];
  try {
    return await new Promise((resolve, reject) => {
      for (const queue of [shards, calls]) queue.on('error', reject);
      use({ shards, calls }).then(resolve, reject);
    });
  } catch (cause) {
    if (PalimpsestError.is(cause)) throw cause;
    const { protocol, host, pathname } = new URL(place.redis ?? defaultRedis);
    // Without its password.
    const redis = `${protocol}//${host}${pathname}`;
    const reason = (cause as NodeJS.ErrnoException).code ?? (cause as Error).message;
    throw new PalimpsestError(
      'QUEUE_UNREACHABLE',
      `The queue at ${redis} cannot be reached (${reason}). Check the address and whether the server is running.`,
      { redis, reason },
      { cause },
    );
  } finally {
    await Promise.allSettled([shards.close(), calls.close()]);
  }
}
