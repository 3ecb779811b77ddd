import { setTimeout as pause } from 'node:timers/promises';
import type { CallGate } from '../calls.ts';
import type { QueueConnection } from './connect.ts';

type Server = Pick<QueueConnection, 'redis' | 'shards'>;

/** Shortest window of a limit in milliseconds. Shorter ones cost the server more than they gain. */
const shortestWindowMs = 100;

/**
 * Counts a call in the current window, which starts with its first call.
 * @returns 0 if the call may start, otherwise the milliseconds until it may try again
 */
const countCall = `
local held = redis.call('PTTL', KEYS[2])
if held > 0 then return held end
local limit = redis.call('HMGET', KEYS[1], 'max', 'duration')
if not limit[1] then return 0 end
local calls = redis.call('INCR', KEYS[3])
if calls == 1 then redis.call('PEXPIRE', KEYS[3], limit[2]) end
if calls <= tonumber(limit[1]) then return 0 end
return math.max(1, redis.call('PTTL', KEYS[3]))`;

function keysOf({ shards: { name } }: Server): Readonly<Record<'limit' | 'hold' | 'calls', string>> {
  return { limit: `${name}:call-limit`, hold: `${name}:call-hold`, calls: `${name}:calls` };
}

/**
 * Converts calls per minute to a limit per window. The window is as short as is practical, so that calls are spread evenly
 * instead of in one burst at the beginning of each minute.
 */
export function windowLimit(callsPerMinute: number): { readonly max: number; readonly duration: number } {
  // Rounded up, so that no window is shorter than the minimum, and rounding its length costs at most 1 %.
  const max = Math.ceil((callsPerMinute * shortestWindowMs) / 60_000);
  return { max, duration: Math.ceil((max * 60_000) / callsPerMinute) };
}

/** Limits the calls to a model of all workers together. 0 removes the limit. */
export async function setCallLimit(server: Server, callsPerMinute: number): Promise<void> {
  const { limit } = keysOf(server);
  if (callsPerMinute === 0) await server.redis.del(limit);
  else await server.redis.hset(limit, { callsPerMinute, ...windowLimit(callsPerMinute) });
}

/** Returns the limit in calls per minute; `null` for none. */
export async function readCallLimit(server: Server): Promise<number | null> {
  const callsPerMinute = await server.redis.hget(keysOf(server).limit, 'callsPerMinute');
  return callsPerMinute === null ? null : Number(callsPerMinute);
}

/** Returns a gate for the calls of this process. Only one of them waits at the server, in order. */
export function callGate(server: Server, onError: (error: Error) => void): CallGate {
  const { redis } = server;
  const { limit, hold, calls } = keysOf(server);
  const wait = async (signal: AbortSignal | undefined): Promise<void> => {
    while (!signal?.aborted) {
      const waitMs = Number(await redis.eval(countCall, 3, limit, hold, calls));
      if (waitMs === 0) return;
      await pause(waitMs, undefined, { signal }).catch(() => undefined);
    }
  };
  let last: Promise<unknown> = Promise.resolve();
  return {
    pass(signal) {
      const passed = last.then(() => wait(signal));
      last = passed.catch(() => undefined);
      return passed;
    },
    holdFor: (milliseconds) => void redis.set(hold, 1, 'PX', Math.ceil(milliseconds)).catch(onError),
  };
}
