import type { ArchiveOptions, KeyValueStorage } from '@palimpsest/recall';

/** Options of the tools `recall` and `expand`. */
export interface SessionRecallOptions {
  /** Maximum size of one answer in tokens; at least 200. @default 2000 */
  readonly maxTokens?: number | undefined;
  /** Keeps archived messages across restarts, for example an `unstorage` storage. @default memory only */
  readonly store?: KeyValueStorage | undefined;
  /** Limits of the archive. @default `{ maxCharacters: 10_000_000, maxAgeMs: 30 days, deadlineMs: 2000 }` */
  readonly archive?: ArchiveOptions | undefined;
}
