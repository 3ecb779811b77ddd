import { readdir } from 'node:fs/promises';
import { type SharedStore, storeHealth } from '@palimpsest/session';
import { fileStore } from '@palimpsest/session/file-store';

/** Where conversations are kept. */
export interface ConversationStore {
  /** Where it is: a folder, or the host and port of a database. */
  readonly place: string;
  /** Contains summaries, as sessions store them, and hashes of messages. */
  readonly sessions: SharedStore;
  /** True for a store that several machines use. */
  readonly isRemote: boolean;
  /** The ids of all that is stored. */
  ids(): Promise<readonly string[]>;
  /** Closes the connection. */
  close(): Promise<void>;
}

/** Milliseconds after which an unused conversation is removed: 30 days. */
const expireAfterMs = 30 * 24 * 3_600_000;

/** A store in a folder of this machine, in files that only their owner can read. */
export function folderStore(folder: string): ConversationStore {
  return {
    place: folder,
    sessions: fileStore(folder, { expireAfterMs }),
    isRemote: false,
    ids: async () =>
      (await readdir(folder)).flatMap((name) => /^palimpsest\.session\.([\da-z-]+)$/.exec(name)?.[1] ?? []),
    close: async () => undefined,
  };
}

/** Longest pause between two attempts to connect to Redis again, in milliseconds. */
const maxReconnectMs = 500;

/** A store in Redis, which `ioredis` connects to. @param url `redis://host:port`, or `rediss://` for TLS */
export async function redisConversations(url: string): Promise<ConversationStore> {
  const [{ Redis }, { redisStore }] = await Promise.all([import('ioredis'), import('@palimpsest/session/redis-store')]);
  const redis = new Redis(url, {
    maxRetriesPerRequest: 1,
    retryStrategy: (attempts) => Math.min(attempts * 50, maxReconnectMs),
  });
  // Each use of the store reports its own failure.
  redis.on('error', () => undefined);
  return {
    place: hostOf(url),
    sessions: redisStore(redis, { expireAfterMs }),
    isRemote: true,
    async ids() {
      const ids = new Set<string>();
      const prefix = 'palimpsest:session:';
      for await (const keys of redis.scanStream({ match: `${prefix}*`, count: 1_000 }))
        for (const key of keys as string[]) ids.add(key.slice(prefix.length));
      return [...ids];
    },
    close: async () => redis.disconnect(),
  };
}

/** A store in PostgreSQL, which `pg` connects to. @param url `postgres://user@host:port/database` */
export async function postgresConversations(url: string): Promise<ConversationStore> {
  const [{ default: pg }, { postgresStore }] = await Promise.all([
    import('pg'),
    import('@palimpsest/session/postgres-store'),
  ]);
  const pool = new pg.Pool({ connectionString: url });
  pool.on('error', () => undefined);
  return {
    place: hostOf(url),
    sessions: postgresStore(pool, { expireAfterMs }),
    isRemote: true,
    ids: async () => (await pool.query('SELECT id FROM palimpsest_sessions')).rows.map(({ id }) => String(id)),
    close: () => pool.end(),
  };
}

/** The host of the URL of a database, without its password. */
export function hostOf(url: string): string {
  return URL.canParse(url) ? new URL(url).host : 'the database';
}

/** How often a store that failed is asked whether it answers again, in milliseconds. */
const watchEveryMs = 250;

/** Notices also between requests that a store answers again, until it is closed. */
export function watchStore(store: ConversationStore): ConversationStore {
  const timer = setInterval(() => storeHealth(store.sessions).retry(), watchEveryMs).unref();
  return {
    ...store,
    close() {
      clearInterval(timer);
      return store.close();
    },
  };
}
