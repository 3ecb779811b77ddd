import { PalimpsestError } from '../errors.ts';
import { invalidOptions, optionPath } from './option-errors.ts';
import type { StandardSchema } from './standard-schema.ts';

/**
 * Validates options with a Standard Schema, such as one of `optionSchema`, and fills in their defaults. Use it in functions that
 * take options directly; the registry validates the options in a configuration.
 * @param owner name of the engine or function that takes the options, for the error message, such as `pruneOnly`
 * @throws {PalimpsestError} `OPTION_INVALID`, with all problems at once
 */
export function validateOptions<Input, Options>(
  schema: StandardSchema<Input, Options>,
  given: unknown,
  owner: string,
): Options {
  const result = schema['~standard'].validate(given);
  if (result instanceof Promise)
    throw new PalimpsestError(
      'OPTION_INVALID',
      `The schema for the options of ${owner} is asynchronous. Use a synchronous one.`,
      {
        issues: [],
      },
    );
  if (!result.issues) return result.value;
  const issues = result.issues.map(({ path = [], message }) => ({
    path: optionPath(path.map((step) => (typeof step === 'object' ? step.key : step))),
    message,
  }));
  throw invalidOptions(issues, { owner });
}
