/** The store of an archive. Every storage of `unstorage` fits, with any driver. Values are strings. */
export interface RecallStore {
  /** The value, as a string or as the driver parsed it, or `null`. */
  getItem(key: string): unknown;
  setItem(key: string, value: string): unknown;
  removeItem(key: string): unknown;
  /** The keys that begin with `base`. */
  getKeys(base: string): unknown;
}

/** Bounds of an archive. */
export interface ArchiveOptions {
  /** All texts together. The oldest are removed first. Characters. @default 10_000_000 */
  readonly maxCharacters?: number | undefined;
  /** Older texts are removed. Milliseconds. @default 30 days */
  readonly maxAgeMs?: number | undefined;
  /** Time for one operation of the store. Milliseconds. @default 2000 */
  readonly deadlineMs?: number | undefined;
}

/** What an archive reports. JSON without conversation text, secrets masked. */
export type RecallEvent =
  /** An operation of the store failed or took too long. Texts that were not written are kept in memory. */
  | {
      readonly type: 'recall-store-failed';
      readonly operation: 'list' | 'read' | 'write' | 'remove';
      readonly reason: string;
    }
  /** A stored text was not used: changed or torn, of another session, or too old. */
  | { readonly type: 'recall-text-rejected'; readonly reason: 'damaged' | 'foreign' | 'expired' }
  /** The archive was full, and its oldest texts were removed. */
  | { readonly type: 'recall-archive-full'; readonly removedTexts: number; readonly maxCharacters: number };
