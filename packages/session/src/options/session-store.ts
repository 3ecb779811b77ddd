/** A stored text, and its version. */
export interface StoredState {
  readonly text: string;
  /** Changes with every write. */
  readonly version: string;
}

/**
 * Stores the state of sessions, one text for each id. Each operation takes effect as a whole or not at all, so it fits one
 * command of Redis and one statement of SQL. `fileStore` is one, and `keyValueStore` makes one of a key-value storage.
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
}
