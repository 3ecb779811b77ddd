import { PalimpsestError } from '@palimpsest/core';

/**
 * Returns the value of a numeric option. Written by hand, so that the pruner needs no schema library; the error has the
 * format of `@palimpsest/registry`.
 * @param owner whose option it is, such as `the prune policy`
 * @throws {PalimpsestError} `OPTION_INVALID` unless it is a finite number of at least 0
 */
export function atLeastZero(owner: string, path: string, value: number): number {
  if (typeof value === 'number' && value >= 0 && value < Number.POSITIVE_INFINITY) return value;
  const given = typeof value === 'number' ? String(value) : `a value of type ${typeof value}`;
  const message = `expected a finite number of at least 0; given: ${given}`;
  throw new PalimpsestError('OPTION_INVALID', `One option of ${owner} is not valid:\n  ${path}: ${message}`, {
    issues: [{ path, message }],
  });
}
