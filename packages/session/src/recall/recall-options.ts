import type { ArchiveOptions, RecallStore } from '@palimpsest/recall';

/** Options of the tools `recall` and `expand`. */
export interface SessionRecallOptions {
  /** Size limit of one answer. Tokens, at least 200. @default 2000 */
  readonly maxTokens?: number | undefined;
  /** Keeps archived messages over restarts: any `unstorage` storage. @default memory */
  readonly store?: RecallStore | undefined;
  /** Bounds of the archive. @default `{ maxCharacters: 10_000_000, maxAgeMs: 30 days, deadlineMs: 2000 }` */
  readonly archive?: ArchiveOptions | undefined;
}
