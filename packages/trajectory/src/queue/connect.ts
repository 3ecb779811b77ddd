import { PalimpsestError } from '@palimpsest/core';
import { filledTextRule, type OptionRules } from '@palimpsest/core/authoring';
import type { Queue } from 'bullmq';
import type { Redis, RedisOptions } from 'ioredis';
import type { ShardJobData, ShardJobResult } from './shard-job.ts';

/** The server and the name of a queue. */
export interface QueuePlace {
  /** URL of a Redis or Valkey server. @default 'redis://127.0.0.1:6379' */
  readonly redis?: string | undefined;
  /** Name of the queue. Several runs can share a server. @default 'palimpsest-trajectory' */
  readonly queue?: string | undefined;
}

/** A connection to the server of a queue. */
export interface QueueConnection {
  readonly bullmq: typeof import('bullmq');
  readonly redis: Redis;
  /** The shards: one job per file. */
  readonly shards: Queue<ShardJobData, ShardJobResult>;
  close(): Promise<void>;
}

export const defaultRedis = 'redis://127.0.0.1:6379';
export const defaultQueue = 'palimpsest-trajectory';

/** How long a single query waits for the server, in milliseconds. */
const queryTimeoutMs = 5_000;

/** For a worker: reconnects until the server is back. */
export const lasting: RedisOptions = {
  maxRetriesPerRequest: null,
  retryStrategy: (times) => Math.min(200 * times, 2_000),
};

/** For a single query: gives up if the server does not answer. */
const brief: RedisOptions = {
  connectTimeout: queryTimeoutMs,
  commandTimeout: queryTimeoutMs,
  maxRetriesPerRequest: 1,
  retryStrategy: (times) => (times > 2 ? null : 100 * times),
};

/** An invalid address is not shown, because it may contain a password. */
export const placeRules: OptionRules = {
  redis: {
    expected: 'an address such as redis://127.0.0.1:6379',
    isValid: (value) => URL.canParse(String(value)) && /^rediss?:$/.test(new URL(String(value)).protocol),
  },
  queue: { ...filledTextRule, expected: 'a non-empty name' },
};

/**
 * Connects to the server of a queue, with the optional peer dependencies of this package.
 * @throws {PalimpsestError} `DEPENDENCY_MISSING`
 */
export async function connect(
  { redis: url = defaultRedis, queue = defaultQueue }: QueuePlace,
  options: RedisOptions,
  onError: (error: Error) => void,
): Promise<QueueConnection> {
  const [bullmq, ioredis] = await Promise.all([import('bullmq'), import('ioredis')]).catch((cause: unknown) => {
    const command = 'npm install bullmq@6 ioredis@5';
    const message = `The queue needs the packages "bullmq" and "ioredis". Install them: ${command}`;
    throw new PalimpsestError('DEPENDENCY_MISSING', message, { package: 'bullmq', command }, { cause });
  });
  const redis = new ioredis.Redis(url, options).on('error', onError);
  const shards = new bullmq.Queue<ShardJobData, ShardJobResult>(queue, { connection: redis });
  shards.on('error', onError);
  const close = async (): Promise<void> => {
    await shards.close();
    redis.disconnect();
  };
  return { bullmq, redis, shards, close };
}

/**
 * Runs a query on the queue at a place.
 * @throws {PalimpsestError} `QUEUE_UNREACHABLE` if the server does not answer; `DEPENDENCY_MISSING`
 */
export async function queryQueue<Result>(
  place: QueuePlace,
  query: (connection: QueueConnection) => Promise<Result>,
): Promise<Result> {
  let fail: (error: unknown) => void = () => undefined;
  const failed = new Promise<never>((_, reject) => {
    fail = reject;
  });
  const connection = await connect(place, brief, (error) => fail(error));
  try {
    return await Promise.race([query(connection), failed]);
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
    await connection.close().catch(() => undefined);
  }
}
