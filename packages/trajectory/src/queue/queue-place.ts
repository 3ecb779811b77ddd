import { PalimpsestError } from '@palimpsest/core';
import type { RedisOptions } from 'bullmq';

/** Where a queue lies. */
export interface QueuePlace {
  /** Redis or Valkey. @default 'redis://127.0.0.1:6379' */
  readonly redis?: string | undefined;
  /** The queue's name: several runs may share a server. @default 'palimpsest-trajectory' */
  readonly queue?: string | undefined;
}

export const defaultRedis = 'redis://127.0.0.1:6379';
export const defaultQueue = 'palimpsest-trajectory';

/** How long somebody who asks a question waits for a server, in milliseconds. */
const patienceMs = 5_000;

/** The queue of permits for calls of a model, beside the queue of shards. */
export function callsQueueName(name: string): string {
  return `${name}-calls`;
}

/** For work that outlives a restart of the server: waits for it as long as it takes. */
export function lastingConnection({ redis = defaultRedis }: QueuePlace): RedisOptions {
  return { url: checked(redis), maxRetriesPerRequest: null, retryStrategy: (times) => Math.min(200 * times, 2_000) };
}

/** For a question that wants an answer now: gives up on a server that is not there. */
export function briefConnection({ redis = defaultRedis }: QueuePlace): RedisOptions {
  return {
    url: checked(redis),
    connectTimeout: patienceMs,
    commandTimeout: patienceMs,
    maxRetriesPerRequest: 1,
    retryStrategy: (times) => (times > 2 ? null : 100 * times),
  };
}

/** The address as it may be shown: without its password. */
export function shownRedis({ redis = defaultRedis }: QueuePlace): string {
  const url = new URL(redis);
  return `${url.protocol}//${url.host}${url.pathname}`;
}

function checked(redis: string): string {
  if (URL.canParse(redis) && /^rediss?:$/.test(new URL(redis).protocol)) return redis;
  const message = 'redis: expected an address such as redis://127.0.0.1:6379.';
  throw new PalimpsestError('OPTION_INVALID', message, { issues: [{ path: ['redis'], message }] });
}
