import type { CoreErrorCode } from '@palimpsest/core';

/** The codes of the errors that this package throws, including those that come from core. */
export type EvalErrorCode =
  | CoreErrorCode
  /** A compactor threw, or its output is not an array of messages. `details`: `compactor`, `transcript`, `budgetTokens`. */
  | 'COMPACTOR_FAILED'
  /** No transcript could be used. `details`: `skipped`, each with `name` and `reason`. */
  | 'TRANSCRIPTS_MISSING'
  /** A command did not give an output. `details`: `command`, `reason`. */
  | 'COMMAND_FAILED';
