import { invalidOption } from '@palimpsest/core/authoring';

/**
 * Checks and returns a numeric option. Written by hand, so that the pruner needs no schema library.
 * @param owner the owner of the option for the error message, such as `the prune policy`
 * @throws {PalimpsestError} `OPTION_INVALID` unless the value is a finite number of at least 0
 */
export function atLeastZero(owner: string, path: string, value: number): number {
  if (typeof value === 'number' && value >= 0 && value < Number.POSITIVE_INFINITY) return value;
  const given = typeof value === 'number' ? String(value) : `a value of type ${typeof value}`;
  throw invalidOption(path, 'a finite number of at least 0', given, { owner });
}
