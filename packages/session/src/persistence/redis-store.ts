import type { SharedStore } from '../options/session-store.ts';

/** The commands that {@link redisStore} uses. A client of `ioredis` has them, also one of a cluster. */
export interface RedisCommands {
  hget(key: string, field: string): Promise<string | null>;
  hmget(key: string, ...fields: string[]): Promise<(string | null)[]>;
  set(key: string, value: string, px: 'PX', ms: number, nx: 'NX'): Promise<unknown>;
  del(key: string): Promise<unknown>;
  eval(script: string, keys: number, ...args: (string | number)[]): Promise<unknown>;
}

export interface RedisStoreOptions {
  /** The beginning of all keys. @default 'palimpsest:' */
  readonly prefix?: string | undefined;
  /** A state that was not written for this time expires, in milliseconds. @default never */
  readonly expireAfterMs?: number | undefined;
}

const save = `local found = redis.call('HGET', KEYS[1], 'version')
if (found or '') ~= ARGV[1] then return false end
redis.call('HSET', KEYS[1], 'text', ARGV[2], 'version', ARGV[3])
if ARGV[4] ~= '0' then redis.call('PEXPIRE', KEYS[1], ARGV[4]) else redis.call('PERSIST', KEYS[1]) end
return ARGV[3]`;

const release = `if redis.call('GET', KEYS[1]) == ARGV[1] then return redis.call('DEL', KEYS[1]) end
return 0`;

/**
 * Stores the state of sessions in Redis, for any number of processes.
 * @param redis a client of `ioredis`; it is not closed
 * @example
 * createSession({ id: 'chat-42', store: redisStore(new Redis(url)), engine, model });
 */
export function redisStore(
  redis: RedisCommands,
  { prefix = 'palimpsest:', expireAfterMs = 0 }: RedisStoreOptions = {},
): SharedStore {
  const keyOf = (id: string): string => `${prefix}session:${id}`;
  return {
    async load(id) {
      const [text = null, version = null] = await redis.hmget(keyOf(id), 'text', 'version');
      return text === null || version === null ? null : { text, version };
    },
    version: (id) => redis.hget(keyOf(id), 'version'),
    async save(id, text, before) {
      const version = globalThis.crypto.randomUUID();
      const written = await redis.eval(save, 1, keyOf(id), before ?? '', text, version, Math.ceil(expireAfterMs));
      return written === null ? null : version;
    },
    async delete(id) {
      await redis.del(keyOf(id));
    },
    async lease(name, forMs) {
      const key = `${prefix}lease:${name}`;
      const holder = globalThis.crypto.randomUUID();
      if ((await redis.set(key, holder, 'PX', Math.ceil(forMs), 'NX')) === null) return null;
      return async () => {
        await redis.eval(release, 1, key, holder);
      };
    },
  };
}
