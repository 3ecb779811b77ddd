import type { CoreErrorCode } from '@palimpsest/core';

/** The codes of the errors that this package throws, including those that come from core. */
export type TrajectoryErrorCode =
  | CoreErrorCode
  /** A file cannot be read or written. `details`: `file`, `reason`. */
  | 'FILE_FAILED'
  /** An earlier run left its output unfinished, and it may not or cannot be continued. `details`: `file`, `reason`. */
  | 'RUN_UNFINISHED'
  /** The server of the job queue cannot be reached. `details`: `redis` (without its password), `reason`. */
  | 'QUEUE_UNREACHABLE'
  /** A package that the option needs is not installed. `details`: `package`, `command`. */
  | 'DEPENDENCY_MISSING'
  /** A call to the summarizer failed. `details`: `class`, `status`, `retryAfterMs`. */
  | 'SUMMARIZER_FAILED';
