import { PalimpsestError } from '../errors.ts';

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

/** Writes a path as code would: `tail.tokens`, `pins[0]`, `thresholds["small.1"]`. */
export function optionPath(steps: readonly PropertyKey[]): string {
  return steps
    .map((step, at) => {
      if (typeof step === 'number') return `[${step}]`;
      const key = String(step);
      if (/[^\w$]/.test(key)) return `[${JSON.stringify(key)}]`;
      return at === 0 ? key : `.${key}`;
    })
    .join('');
}

/** Describes a value in an error without showing it: it may be a secret, or long. */
export function describeType(value: unknown): string {
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
  return invalidOptions([{ path, message: wrongValue(expected, given) }], source);
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

/** What is wrong with an option that is not known, with the nearest known one. */
export function describeUnknownOption(key: string, known: readonly string[]): string {
  const names = known.length > 0 ? ` Known: ${known.join(', ')}.` : '';
  return `unknown option.${suggestName(nearestName(key, known))}${names}`;
}

export function wrongValue(expected: string, given: string): string {
  return `expected ${expected}; given: ${given}`;
}

/** Longer names are not compared: they are not typos. */
const maxNameLength = 100;

/**
 * Finds the known name most similar to a misspelled one, or `null`. Names are similar if at most a third of the letters
 * (at least one) differ, or if one begins with the other.
 */
export function nearestName(name: string, known: readonly string[]): string | null {
  if (name === '' || name.length > maxNameLength) return null;
  const plain = name.toLowerCase();
  let nearest: { readonly name: string; readonly edits: number } | null = null;
  for (const candidate of known) {
    const edits = editsBetween(plain, candidate.toLowerCase());
    const allowed = Math.max(1, Math.floor(Math.max(name.length, candidate.length) / 3));
    if (edits <= allowed && edits < (nearest?.edits ?? Number.POSITIVE_INFINITY)) nearest = { name: candidate, edits };
  }
  if (nearest) return nearest.name;
  return known.find((candidate) => plain.length >= 4 && candidate.toLowerCase().startsWith(plain)) ?? null;
}

/** Returns ` Did you mean "x"?`, or an empty string for `null`. */
export function suggestName(nearest: string | null): string {
  return nearest === null ? '' : ` Did you mean "${nearest}"?`;
}

/** Levenshtein's distance. Written by hand, so that this package needs no library. */
function editsBetween(one: string, other: string): number {
  let row = Array.from({ length: other.length + 1 }, (_, index) => index);
  for (let at = 0; at < one.length; at++) {
    const next = [at + 1];
    for (let index = 0; index < other.length; index++) {
      const replaced = row[index]! + (one[at] === other[index] ? 0 : 1);
      next.push(Math.min(replaced, row[index + 1]! + 1, next[index]! + 1));
    }
    row = next;
  }
  return row[other.length]!;
}
