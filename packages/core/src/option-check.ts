import { PalimpsestError } from './errors.ts';
import { isRecord } from './json/is-record.ts';
import { nearestName, suggestName } from './nearest-name.ts';

/** One invalid option. */
export interface OptionIssue {
  /** The path of the option, such as `limits.attempts`. */
  readonly path: string;
  /** What was expected and what was given. */
  readonly message: string;
}

/** Context of an error about options. */
export interface OptionErrorSource {
  /** The owner of the options, named in the message: a function such as `createSession`, or an engine. */
  readonly owner?: string | undefined;
  readonly cause?: unknown;
}

/** Checks options without a schema library, which would be too large here. One error lists all problems. */
export class OptionCheck {
  readonly #issues: OptionIssue[] = [];

  /** Records a problem unless `isValid`. @param given the value as the error may show it, never a secret */
  expect(isValid: boolean, path: string, expected: string, given: string): void {
    if (!isValid) this.#issues.push(issueOf(path, expected, given));
  }

  /**
   * Records the options that are not known. Only plain objects are checked, and options that are `undefined` are ignored.
   * @param path of the group of options; empty for the options as a whole
   */
  known(path: string, given: unknown, known: readonly string[]): void {
    if (!isPlainObject(given)) return;
    for (const [key, value] of Object.entries(given))
      if (value !== undefined && !known.includes(key))
        this.#issues.push(unknownOption(path === '' ? key : `${path}.${key}`, key, known));
  }

  /**
   * Records a problem unless the value is an object, and every option in it that is not known.
   * @param path of the group of options; empty for the options as a whole
   * @returns true for an object, whose options can be read
   */
  object(path: string, given: unknown, known: readonly string[], expected = 'an object with options'): boolean {
    const isObject = isRecord(given);
    this.expect(isObject, path, expected, shownType(given));
    if (isObject) this.known(path, given, known);
    return isObject;
  }

  /**
   * @param owner the owner of the options, named in the message
   * @throws {PalimpsestError} `OPTION_INVALID`, with all problems
   */
  finish(owner?: string): void {
    if (this.#issues.length > 0) throw invalidOptions(this.#issues, { owner });
  }
}

/**
 * Rejects options that are not known, which would be ignored otherwise.
 * @param names all options of the interface. The compiler rejects a list that is not complete.
 * @throws {PalimpsestError} `OPTION_INVALID`
 */
export function checkOptionNames<Options extends object>(
  owner: string,
  options: Options,
  names: Readonly<Record<keyof Options, true>>,
): void {
  const check = new OptionCheck();
  check.object('', options, Object.keys(names));
  check.finish(owner);
}

/** Describes a value in an error without showing it: it may be a secret, or long. */
export function shownType(value: unknown): string {
  if (value === undefined || value === null) return 'nothing';
  if (typeof value === 'string') return `a string of ${value.length} characters`;
  if (Array.isArray(value)) return 'a list';
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : `a value of type ${typeof value}`;
}

/** Creates the error `OPTION_INVALID` for one option. @param given the value as the error may show it, never a secret */
export function invalidOption(
  path: string,
  expected: string,
  given: string,
  source?: OptionErrorSource,
): PalimpsestError {
  return invalidOptions([issueOf(path, expected, given)], source);
}

/** Creates the error `OPTION_INVALID` for several options. An issue with an empty path is about the options as a whole. */
export function invalidOptions(
  issues: readonly OptionIssue[],
  { owner, ...options }: OptionErrorSource = {},
): PalimpsestError {
  const lines = issues.map(({ path, message }) => `  ${path || 'options'}: ${message}`);
  const count = issues.length === 1 ? 'One option' : `${issues.length} options`;
  const whose = owner === undefined ? '' : ` of ${owner}`;
  const verb = issues.length === 1 ? 'is' : 'are';
  return new PalimpsestError(
    'OPTION_INVALID',
    `${count}${whose} ${verb} not valid:\n${lines.join('\n')}`,
    { issues },
    options,
  );
}

/**
 * Calls a function that takes options of our caller, such as `createSession` in `createContextFetch`. An error about them
 * names the function that the caller used.
 * @param owner the function that the caller used
 * @throws {PalimpsestError} `OPTION_INVALID` with the same problems; other errors unchanged
 */
export function withOptionOwner<Result>(owner: string, call: () => Result): Result {
  try {
    return call();
  } catch (error) {
    if (!PalimpsestError.is(error) || error.code !== 'OPTION_INVALID') throw error;
    throw invalidOptions(error.details.issues as readonly OptionIssue[], { owner, cause: error });
  }
}

/** The issue for an option that is not known, with the nearest known one. */
export function unknownOption(path: string, key: string, known: readonly string[]): OptionIssue {
  const names = known.length > 0 ? ` Known: ${known.join(', ')}.` : '';
  return { path, message: `unknown option.${suggestName(nearestName(key, known))}${names}` };
}

function isPlainObject(value: unknown): value is Readonly<Record<string, unknown>> {
  if (!isRecord(value)) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}

function issueOf(path: string, expected: string, given: string): OptionIssue {
  return { path, message: `expected ${expected}; given: ${given}` };
}
