/** Why a call was refused. The message says what, where and what to do; `details` holds the facts; neither holds conversation text. */
export type PalimpsestErrorCode =
  /** The messages are not an array of messages. `details`: `index`, `field`. */
  | 'MESSAGES_INVALID'
  /** An edit is malformed or out of range. `details`: `edit` (its position in the plan). */
  | 'PLAN_INVALID'
  /** Two edits claim the same message. `details`: `edits`, `groups`. */
  | 'PLAN_CONFLICT'
  /** A plan would break the contract every engine has to keep. `details`: `engine`, `violations`. */
  | 'INVARIANT_VIOLATED'
  /** An option has the wrong type or range. `details`: `issues`, each with `path` and `message`. */
  | 'OPTION_INVALID'
  /** The configuration cannot be read. `details`: `file`. */
  | 'CONFIG_INVALID'
  /** No engine of that name. `details`: `name`, `known`, `nearest`. */
  | 'ENGINE_UNKNOWN'
  /** Two plugins of one name. `details`: `name`. */
  | 'ENGINE_DUPLICATE'
  /** The plugin was made for another version of the contract. `details`: `name`, `apiVersion`, `supported`. */
  | 'ENGINE_INCOMPATIBLE'
  /** What was loaded is no engine plugin. `details`: `source`. */
  | 'ENGINE_INVALID'
  /** The engine misbehaved and no fallback was allowed. `details`: `engine`, `reason`. */
  | 'ENGINE_FAILED'
  /** A path lies outside of what the configuration may load. `details`: `path`. */
  | 'PATH_REFUSED'
  /** A package that was asked for is not installed. `details`: `package`, `command`. */
  | 'DEPENDENCY_MISSING'
  /** Configuring after the first use. `details`: `method`. */
  | 'CONFIGURED_TOO_LATE'
  /** A summarizer could not deliver. `details`: `class`, `status`, `retryAfterMs`. */
  | 'SUMMARIZER_FAILED'
  /** A snapshot is not one of ours, or not JSON. `details`: `engine`. */
  | 'SNAPSHOT_INVALID'
  /** A provider refused a request for its size, and nothing more can be taken from it. `details`: `attempts`, `reason`, `class`, `limitTokens`. */
  | 'COMPRESSION_EXHAUSTED'
  /** A file cannot be read, or not be written. `details`: `file`, `reason`. */
  | 'FILE_FAILED'
  /** An earlier run left its output unfinished, and may or can not be carried on. `details`: `file`, `reason`. */
  | 'RUN_UNFINISHED'
  /** The server of a job queue cannot be reached. `details`: `redis` (without its password), `reason`. */
  | 'QUEUE_UNREACHABLE'
  /** The caller's `AbortSignal` fired. */
  | 'ABORTED';

const marker: symbol = Symbol.for('palimpsest.error');

/**
 * The one error class. Recognise it with {@link PalimpsestError.is}, never with `instanceof`: an application may hold
 * two copies of this package.
 *
 * @example
 * if (PalimpsestError.is(error) && error.code === 'ENGINE_UNKNOWN') suggest(error.details.known);
 */
export class PalimpsestError extends Error {
  override readonly name: string = 'PalimpsestError';
  readonly code: PalimpsestErrorCode;
  readonly details: Readonly<Record<string, unknown>>;

  constructor(
    code: PalimpsestErrorCode,
    message: string,
    details: Readonly<Record<string, unknown>> = {},
    options: { readonly cause?: unknown } = {},
  ) {
    super(message, options);
    this.code = code;
    this.details = details;
    Object.defineProperty(this, marker, { value: true });
  }

  static is(error: unknown): error is PalimpsestError {
    return typeof error === 'object' && error !== null && (error as Record<symbol, unknown>)[marker] === true;
  }
}
