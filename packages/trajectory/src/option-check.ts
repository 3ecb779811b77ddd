import { PalimpsestError } from '@palimpsest/core';

/** One invalid option. */
export interface OptionIssue {
  /** The name of the option, such as `targetTokens`. */
  readonly path: string;
  /** What was expected and what was given. */
  readonly message: string;
}

/**
 * Collects the problems of a call's options, so that one error reports all of them. The messages have the format of
 * `@palimpsest/registry`. Written by hand: a schema library would be larger than the rest of this package in a browser.
 */
export class OptionCheck {
  readonly #issues: OptionIssue[] = [];

  /** Records a problem unless `isValid`. @param given the value as the error may show it, never a secret */
  expect(isValid: boolean, path: string, expected: string, given: string): void {
    if (!isValid) this.#issues.push({ path, message: `expected ${expected}; given: ${given}` });
  }

  /** @returns the number, or `fallback` when it is not given or not valid */
  wholeNumber(path: string, given: unknown, fallback: number, least: number): number {
    if (given === undefined) return fallback;
    const isValid = Number.isSafeInteger(given) && (given as number) >= least;
    this.expect(isValid, path, `a whole number of at least ${least}`, shown(given));
    return isValid ? (given as number) : fallback;
  }

  /** @throws {PalimpsestError} `OPTION_INVALID`, with all problems at once */
  finish(): void {
    if (this.#issues.length > 0) throw invalidOptions(this.#issues);
  }
}

/** The error for one option. @param given the value as the error may show it, never a secret */
export function invalidOption(path: string, expected: string, given: string, cause?: unknown): PalimpsestError {
  return invalidOptions([{ path, message: `expected ${expected}; given: ${given}` }], cause);
}

function invalidOptions(issues: readonly OptionIssue[], cause?: unknown): PalimpsestError {
  const lines = issues.map(({ path, message }) => `  ${path}: ${message}`);
  const count = issues.length === 1 ? 'One option is' : `${issues.length} options are`;
  return new PalimpsestError('OPTION_INVALID', `${count} not valid:\n${lines.join('\n')}`, { issues }, { cause });
}

/** Shows a value in an error message: numbers verbatim, texts only by their length, because they may be secret. */
export function shown(value: unknown): string {
  if (value === undefined) return 'nothing';
  if (typeof value === 'string') return `a text of ${value.length} ${value.length === 1 ? 'character' : 'characters'}`;
  if (value === null || typeof value === 'number' || typeof value === 'boolean') return String(value);
  return Array.isArray(value) ? 'a list' : `a value of type ${typeof value}`;
}
