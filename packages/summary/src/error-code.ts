import type { CoreErrorCode } from '@palimpsest/core';

/** The codes of the errors that this package throws, including those that come from core. */
export type SummaryErrorCode =
  | CoreErrorCode
  /** A call to the summarizer failed. `details`: `class`, `status`, `retryAfterMs`. */
  | 'SUMMARIZER_FAILED'
  /** The provider's package is not installed. `details`: `package`, `command`. */
  | 'DEPENDENCY_MISSING'
  /** The caller's `AbortSignal` was aborted. */
  | 'ABORTED';
