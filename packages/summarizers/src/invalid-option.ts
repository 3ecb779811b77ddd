import { PalimpsestError } from '@palimpsest/core';

/**
 * Creates the error for an invalid option, in the format of `@palimpsest/registry`.
 * @param given the value as the error may show it, never a secret
 */
export function invalidOption(path: string, expected: string, given: string): PalimpsestError {
  const message = `expected ${expected}; given: ${given}`;
  return new PalimpsestError('OPTION_INVALID', `One option is not valid:\n  ${path}: ${message}`, {
    issues: [{ path, message }],
  });
}

/** Checks the option `model`. @throws {PalimpsestError} `OPTION_INVALID` */
export function checkModel(model: unknown, example: string): void {
  if (typeof model === 'string' && model !== '') return;
  const given = model === undefined ? 'nothing' : model === '' ? 'an empty text' : `a value of type ${typeof model}`;
  throw invalidOption('model', `the name of a model, such as ${JSON.stringify(example)}`, given);
}
