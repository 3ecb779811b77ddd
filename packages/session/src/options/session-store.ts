/** A stored text, and its version. */
export interface StoredState {
  readonly text: string;
  /** Changes with every write. */
  readonly version: string;
}

/**
 * Stores the state of sessions, one text for each id. Each operation takes effect as a whole or not at all, so it fits one
 * command of Redis and one statement of SQL. `fileStore` is one, and `keyValueStore` makes one of a key-value storage.
 *
 * A store with `version` and `lease` is *shared*: any process may serve the next request of a conversation. `fileStore`,
 * `redisStore`, `postgresStore` and `memoryStore` are shared. The store is responsible for locking, expiry and consistency.
 */
export interface SessionStore {
  /** Returns the text and its version; `null` if nothing is stored. */
  load(id: string): Promise<StoredState | null>;
  /**
   * Replaces the text if its version is still `before`. `null` stands for nothing stored yet.
   * @returns the new version; `null` if another writer was faster, so that nothing was written
   */
  save(id: string, text: string, before: string | null): Promise<string | null>;
  /** Removes the text, if there is one. */
  delete(id: string): Promise<void>;
  /** Returns the version of a stored text, without the text; `null` if nothing is stored. */
  version?(id: string): Promise<string | null>;
  /**
   * Acquires a named lock that expires, for example one for the next compaction of a conversation. A lease that is not
   * released ends by itself, so a crashed process cannot block others for longer.
   * @param forMs milliseconds until it ends
   * @returns releases the lease; `null` if another process has it
   */
  lease?(name: string, forMs: number): Promise<(() => Promise<void>) | null>;
}

/** A store that several processes use at once. */
export type SharedStore = Required<SessionStore>;

export function isSharedStore(store: SessionStore | undefined): store is SharedStore {
  return store?.version !== undefined && store.lease !== undefined;
}
