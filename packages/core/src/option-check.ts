import { PalimpsestError } from './errors.ts';

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
   * @param owner the owner of the options, named in the message
   * @throws {PalimpsestError} `OPTION_INVALID`, with all problems
   */
  finish(owner?: string): void {
    if (this.#issues.length > 0) throw invalidOptions(this.#issues, { owner });
  }
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

function issueOf(path: string, expected: string, given: string): OptionIssue {
  return { path, message: `expected ${expected}; given: ${given}` };
}
