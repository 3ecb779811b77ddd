import type { RedisOptions } from 'bullmq';
import { type RunOptionCheck, shown } from '../option-check.ts';

/** The server and the name of a queue. */
export interface QueuePlace {
  /** URL of a Redis or Valkey server. @default 'redis://127.0.0.1:6379' */
  readonly redis?: string | undefined;
  /** Name of the queue. Several runs can share a server. @default 'palimpsest-trajectory' */
  readonly queue?: string | undefined;
}

export const defaultRedis = 'redis://127.0.0.1:6379';
export const defaultQueue = 'palimpsest-trajectory';

/** How long a single query waits for the server, in milliseconds. */
const queryTimeoutMs = 5_000;

/** The name of the queue that limits the calls to the model, next to the queue of shards. */
export function callsQueueName(name: string): string {
  return `${name}-calls`;
}

/** Connection options for a worker: reconnects until the server is back. */
export function lastingConnection({ redis = defaultRedis }: QueuePlace): RedisOptions {
  return { url: redis, maxRetriesPerRequest: null, retryStrategy: (times) => Math.min(200 * times, 2_000) };
}

/** Connection options for a single query: gives up if the server does not answer. */
export function briefConnection({ redis = defaultRedis }: QueuePlace): RedisOptions {
  return {
    url: redis,
    connectTimeout: queryTimeoutMs,
    commandTimeout: queryTimeoutMs,
    maxRetriesPerRequest: 1,
    retryStrategy: (times) => (times > 2 ? null : 100 * times),
  };
}

/** The server's address without its password, for messages. */
export function shownRedis({ redis = defaultRedis }: QueuePlace): string {
  const url = new URL(redis);
  return `${url.protocol}//${url.host}${url.pathname}`;
}

/** Reports an invalid server address to `check`. Does not show it, because it may contain a password. */
export function checkQueuePlace(check: RunOptionCheck, { redis, queue }: QueuePlace): void {
  const isRedis = redis === undefined || (URL.canParse(redis) && /^rediss?:$/.test(new URL(redis).protocol));
  check.expect(isRedis, 'redis', 'an address such as redis://127.0.0.1:6379', shown(redis));
  const isName = queue === undefined || (typeof queue === 'string' && queue !== '');
  check.expect(isName, 'queue', 'a name that is not empty', shown(queue));
}
