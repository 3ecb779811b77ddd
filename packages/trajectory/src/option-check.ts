import { OptionCheck } from '@palimpsest/core/authoring';

/** Checks the options of a run. */
export class RunOptionCheck extends OptionCheck {
  /** @returns the number, or `fallback` when it is not given or not valid */
  wholeNumber(path: string, given: unknown, fallback: number, least: number): number {
    if (given === undefined) return fallback;
    const isValid = Number.isSafeInteger(given) && (given as number) >= least;
    this.expect(isValid, path, `a whole number of at least ${least}`, shown(given));
    return isValid ? (given as number) : fallback;
  }
}

/** Shows a value in an error message: numbers verbatim, texts only by their length, because they may be secret. */
export function shown(value: unknown): string {
  if (value === undefined) return 'nothing';
  if (typeof value === 'string') return `a text of ${value.length} ${value.length === 1 ? 'character' : 'characters'}`;
  if (value === null || typeof value === 'number' || typeof value === 'boolean') return String(value);
  return Array.isArray(value) ? 'a list' : `a value of type ${typeof value}`;
}
