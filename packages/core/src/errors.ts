/**
 * The codes of the errors that core throws. Every other package documents its own codes, such as `RegistryErrorCode`. A
 * message says what happened, where, and what to do; `details` holds the data. Neither contains conversation text.
 */
export type CoreErrorCode =
  /** The input is not an array of messages. `details`: `index`, `field`. */
  | 'MESSAGES_INVALID'
  /** An edit is malformed or out of range. `details`: `edit` (its position in the plan). */
  | 'PLAN_INVALID'
  /** Two edits claim the same message. `details`: `edits`, `groups`. */
  | 'PLAN_CONFLICT'
  /** A plan would break the contract that every engine keeps. `details`: `engine`, `violations`. */
  | 'INVARIANT_VIOLATED'
  /** An option has the wrong type or range. `details`: `issues`, each with `path` and `message`. */
  | 'OPTION_INVALID';

/** Any error code. An editor suggests the codes of core. */
type AnyErrorCode = CoreErrorCode | (string & Record<never, never>);

const marker: symbol = Symbol.for('palimpsest.error');

/**
 * The error class of all packages. Recognize it with {@link PalimpsestError.is}, not with `instanceof`: an application
 * may contain two copies of this package.
 *
 * @example
 * if (PalimpsestError.is<RegistryErrorCode>(error) && error.code === 'ENGINE_UNKNOWN') suggest(error.details.known);
 */
export class PalimpsestError<Code extends string = AnyErrorCode> extends Error {
  override readonly name: string = 'PalimpsestError';
  readonly code: Code;
  readonly details: Readonly<Record<string, unknown>>;

  constructor(
    code: Code,
    message: string,
    details: Readonly<Record<string, unknown>> = {},
    options: { readonly cause?: unknown } = {},
  ) {
    super(message, options);
    this.code = code;
    this.details = details;
    Object.defineProperty(this, marker, { value: true });
  }

  /**
   * True for an error of this library. The type argument narrows the type of `code`; the code is not checked.
   *
   * @example
   * PalimpsestError.is<SessionErrorCode>(error) && error.code === 'COMPACTION_EXHAUSTED'
   */
  static is<Code extends string = AnyErrorCode>(error: unknown): error is PalimpsestError<Code> {
    return typeof error === 'object' && error !== null && (error as Record<symbol, unknown>)[marker] === true;
  }
}
