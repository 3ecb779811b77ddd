import { invalidOption } from '@palimpsest/core/authoring';
import type { SharedStore } from '../options/session-store.ts';

/** What {@link postgresStore} uses. A `Pool` of `pg` has it. */
export interface PostgresQueries {
  query(text: string, values?: unknown[]): Promise<{ readonly rows: readonly Readonly<Record<string, unknown>>[] }>;
}

export interface PostgresStoreOptions {
  /** The beginning of the names of both tables: letters, digits and `_`. @default 'palimpsest_' */
  readonly prefix?: string | undefined;
  /** A state that was not written for this time expires, in milliseconds. @default never */
  readonly expireAfterMs?: number | undefined;
}

/** Each process removes expired rows at most once in this time, in milliseconds. */
const sweepEveryMs = 60_000;
const isLive = '(expires IS NULL OR expires > now())';
const until = (parameter: string): string => `now() + ${parameter}::float8 * interval '1 millisecond'`;

/**
 * Stores the state of sessions in PostgreSQL, for any number of processes. The tables are created by the first call.
 * Expired rows are not read, and later writes remove them.
 * @param pool a `Pool` of `pg`; it is not closed
 * @example
 * createSession({ id: 'chat-42', store: postgresStore(new Pool({ connectionString })), engine, model });
 * @throws {PalimpsestError} `OPTION_INVALID`
 */
export function postgresStore(
  pool: PostgresQueries,
  { prefix = 'palimpsest_', expireAfterMs }: PostgresStoreOptions = {},
): SharedStore {
  if (!/^\w{0,40}$/.test(prefix))
    throw invalidOption('prefix', 'at most 40 letters, digits and "_"', prefix, { owner: 'postgresStore' });
  const sessions = `"${prefix}sessions"`;
  const leases = `"${prefix}leases"`;
  const query = connect(pool, sessions, leases);
  let sweptAt = Date.now();
  const sweep = async (): Promise<void> => {
    if (Date.now() - sweptAt < sweepEveryMs) return;
    sweptAt = Date.now();
    await query(`DELETE FROM ${sessions} WHERE expires <= now()`);
    await query(`DELETE FROM ${leases} WHERE expires <= now()`);
  };
  return {
    async load(id) {
      const { rows } = await query(`SELECT body, version FROM ${sessions} WHERE id = $1 AND ${isLive}`, [id]);
      const [row] = rows;
      return row ? { text: String(row.body), version: String(row.version) } : null;
    },
    async version(id) {
      const { rows } = await query(`SELECT version FROM ${sessions} WHERE id = $1 AND ${isLive}`, [id]);
      return rows[0] ? String(rows[0].version) : null;
    },
    async save(id, text, before) {
      const values = [id, text, globalThis.crypto.randomUUID(), expireAfterMs ?? null];
      const { rows } =
        before === null
          ? await query(
              `INSERT INTO ${sessions} AS known (id, body, version, expires) VALUES ($1, $2, $3, ${until('$4')})
               ON CONFLICT (id) DO UPDATE SET body = $2, version = $3, expires = ${until('$4')} WHERE known.expires <= now()
               RETURNING version`,
              values,
            )
          : await query(
              `UPDATE ${sessions} SET body = $2, version = $3, expires = ${until('$4')}
               WHERE id = $1 AND version::text = $5 AND ${isLive} RETURNING version`,
              [...values, before],
            );
      await sweep();
      return rows[0] ? String(rows[0].version) : null;
    },
    async delete(id) {
      await query(`DELETE FROM ${sessions} WHERE id = $1`, [id]);
    },
    async lease(name, forMs) {
      const holder = globalThis.crypto.randomUUID();
      const { rows } = await query(
        `INSERT INTO ${leases} AS known (name, holder, expires) VALUES ($1, $2, ${until('$3')})
         ON CONFLICT (name) DO UPDATE SET holder = $2, expires = ${until('$3')} WHERE known.expires <= now()
         RETURNING holder`,
        [name, holder, forMs],
      );
      if (rows.length === 0) return null;
      return async () => {
        await query(`DELETE FROM ${leases} WHERE name = $1 AND holder = $2`, [name, holder]);
      };
    },
  };
}

/** Returns the pool's `query`, which creates the tables first. */
function connect(pool: PostgresQueries, sessions: string, leases: string): PostgresQueries['query'] {
  let created: Promise<unknown> | null = null;
  // The lock ends with the statements: processes that start together would otherwise create the tables at the same time.
  const create = `
    SELECT pg_advisory_xact_lock(7263554);
    CREATE TABLE IF NOT EXISTS ${sessions} (id text PRIMARY KEY, body text NOT NULL, version uuid NOT NULL, expires timestamptz);
    CREATE TABLE IF NOT EXISTS ${leases} (name text PRIMARY KEY, holder uuid NOT NULL, expires timestamptz NOT NULL)`;
  return async (text, values) => {
    created ??= pool.query(create);
    await created.catch((error: unknown) => {
      created = null;
      throw error;
    });
    return pool.query(text, values);
  };
}
