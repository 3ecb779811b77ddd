/** A key-value storage, such as one of `unstorage` with any driver. Its methods may be asynchronous. */
export interface KeyValueStorage {
  /** Returns the stored text; `null` or `undefined` if nothing is stored. */
  getItem(key: string): unknown;
  setItem(key: string, value: string): unknown;
  removeItem(key: string): unknown;
  /** Returns a list of the keys that begin with `base`. */
  getKeys(base: string): unknown;
}

/** Limits of an archive. */
export interface ArchiveOptions {
  /** Maximum length of all texts together, in characters. The oldest are removed first. @default 10_000_000 */
  readonly maxCharacters?: number | undefined;
  /** Maximum age of a text, in milliseconds. Older ones are removed. @default 30 days */
  readonly maxAgeMs?: number | undefined;
  /** Time limit for one operation of the store, in milliseconds. @default 2000 */
  readonly deadlineMs?: number | undefined;
}

/** An event of an archive: JSON without conversation text, with secrets masked. */
export type RecallEvent =
  /** An operation of the store failed or took too long. Texts that were not written are kept in memory. */
  | {
      readonly type: 'recall-store-failed';
      readonly operation: 'list' | 'read' | 'write' | 'remove';
      readonly reason: string;
    }
  /** A stored text was not used: damaged, of another session (`foreign`), or too old (`expired`). */
  | { readonly type: 'recall-text-rejected'; readonly reason: 'damaged' | 'foreign' | 'expired' }
  /** The archive was full, and its oldest texts were removed. */
  | { readonly type: 'recall-archive-full'; readonly removedTexts: number; readonly maxCharacters: number };
