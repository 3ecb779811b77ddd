import { PalimpsestError } from '../errors.ts';
import type { ModelInfo } from './model.ts';

/**
 * Rejects a model with invalid numbers. `NaN` would give a `NaN` threshold, and compression would always or never run.
 * @throws {PalimpsestError} `OPTION_INVALID`
 */
export function checkModel(model: ModelInfo): void {
  const issues: { path: string[]; message: string }[] = [];
  const refuse = (field: string, given: unknown, accepted: string): void => {
    // Numbers are shown; strings are not, because they may contain anything.
    const shown =
      typeof given === 'number'
        ? String(given)
        : given === null || given === undefined
          ? String(given)
          : `a ${typeof given}`;
    issues.push({ path: [field], message: `the model's ${field} is ${shown}; ${accepted} is accepted` });
  };
  const { id, contextLength, reserveOutputTokens } = model ?? {};
  if (typeof id !== 'string') refuse('id', id, 'a text');
  if (typeof contextLength !== 'number' || !(contextLength >= 0))
    refuse('contextLength', contextLength, 'a number of tokens, 0 for an unknown window,');
  if (reserveOutputTokens !== undefined && !(Number.isFinite(reserveOutputTokens) && reserveOutputTokens >= 0))
    refuse('reserveOutputTokens', reserveOutputTokens, 'a non-negative number of tokens, or undefined,');
  if (issues.length > 0)
    throw new PalimpsestError(
      'OPTION_INVALID',
      `The model cannot be used: ${issues.map(({ message }) => message).join('; ')}.`,
      {
        issues,
      },
    );
}
