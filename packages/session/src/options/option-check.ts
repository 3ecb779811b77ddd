import { PalimpsestError } from '@palimpsest/core';

/** One invalid option. */
export interface OptionIssue {
  /** The path of the option, such as `limits.attempts`. */
  readonly path: string;
  /** What was expected and what was given. */
  readonly message: string;
}

/**
 * Collects the problems of a call's options. Written by hand: a schema library would be a fifth of the size of the fetch
 * entry. The messages have the format of `@palimpsest/registry`.
 */
export class OptionCheck {
  readonly #issues: OptionIssue[] = [];

  /** Records a problem unless `isValid`. */
  expect(isValid: boolean, path: string, expected: string, given: string): void {
    if (!isValid) this.#issues.push({ path, message: `expected ${expected}; given: ${given}` });
  }

  /** @returns the number, or its default when it is not given or not valid */
  number(path: string, given: number | undefined, fallback: number, low: number, high: number): number {
    if (given === undefined) return fallback;
    const isValid = typeof given === 'number' && given >= low && given <= high;
    this.expect(isValid, path, `a number from ${low} to ${high}`, shown(given));
    return isValid ? given : fallback;
  }

  /** A limit that `false` turns off. @returns `Infinity` when it is off */
  limit(path: string, given: number | false | undefined, fallback: number, low: number, high: number): number {
    return given === false ? Number.POSITIVE_INFINITY : this.number(path, given, fallback, low, high);
  }

  /** @throws {PalimpsestError} `OPTION_INVALID`, with all problems at once */
  finish(call: string): void {
    if (this.#issues.length === 0) return;
    const lines = this.#issues.map(({ path, message }) => `  ${path}: ${message}`);
    const count = lines.length === 1 ? 'One option' : `${lines.length} options`;
    throw new PalimpsestError(
      'OPTION_INVALID',
      `${count} of ${call} ${lines.length === 1 ? 'is' : 'are'} not valid:\n${lines.join('\n')}`,
      { issues: this.#issues },
    );
  }
}

/** Shows a value in an error message. Use {@link typeShown} for objects and secrets. */
export function shown(value: unknown): string {
  if (value === undefined) return 'nothing';
  return typeof value === 'string' ? JSON.stringify(value.slice(0, 40)) : String(value).slice(0, 40);
}

/** Shows only the type of a value in an error message. */
export function typeShown(value: unknown): string {
  if (value === undefined || value === null) return 'nothing';
  if (typeof value === 'string') return `a text of ${value.length} characters`;
  return Array.isArray(value) ? 'a list' : `a value of type ${typeof value}`;
}
