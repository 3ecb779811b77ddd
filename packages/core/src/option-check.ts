import { PalimpsestError } from './errors.ts';

/** One invalid option. */
export interface OptionIssue {
  /** The path of the option, such as `limits.attempts`. */
  readonly path: string;
  /** What was expected and what was given. */
  readonly message: string;
}

/** What an error about options also says. */
export interface OptionErrorSource {
  /** What has the options, for the message: a function such as `createSession`, or an engine. */
  readonly owner?: string | undefined;
  readonly cause?: unknown;
}

/** Checks options by hand, where a schema library would be too large. Collects the problems, so that one error has all. */
export class OptionCheck {
  readonly #issues: OptionIssue[] = [];

  /** Records a problem unless `isValid`. @param given the value as the error may show it, never a secret */
  expect(isValid: boolean, path: string, expected: string, given: string): void {
    if (!isValid) this.#issues.push(issueOf(path, expected, given));
  }

  /** @param owner what has the options, for the message @throws {PalimpsestError} `OPTION_INVALID`, with all problems */
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
