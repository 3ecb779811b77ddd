import { OptionCheck } from '@palimpsest/core/authoring';

/** Checks the options of a session. */
export class SessionOptionCheck extends OptionCheck {
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
}

/** Shows a value in an error message. Use `shownType` for objects and secrets. */
export function shown(value: unknown): string {
  if (value === undefined) return 'nothing';
  return typeof value === 'string' ? JSON.stringify(value.slice(0, 40)) : String(value).slice(0, 40);
}
