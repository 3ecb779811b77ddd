import type { CoreErrorCode } from '@palimpsest/core';

/** The codes of the errors that this package throws, including those that come from core. */
export type SessionErrorCode =
  | CoreErrorCode
  /**
   * A provider refused a request for its size, and nothing more can be removed from it. `details`: `attempts`, `reason`,
   * `class`, `limitTokens`. Thrown by `session.run`. `contextFetch` returns the provider's own reply instead. Both publish
   * `compaction-exhausted`.
   */
  | 'COMPACTION_EXHAUSTED'
  /** The caller's `AbortSignal` was aborted. */
  | 'ABORTED';
