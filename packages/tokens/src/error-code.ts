import type { CoreErrorCode } from '@palimpsest/core';

/** The codes of the errors that this package throws, including those that come from core. */
export type TokensErrorCode =
  | CoreErrorCode
  /** A package that the entry needs is not installed. `details`: `package`, `command`. */
  | 'DEPENDENCY_MISSING';
