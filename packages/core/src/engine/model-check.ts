import { PalimpsestError } from '../errors.ts';
import type { ModelInfo } from './model.ts';

/**
 * Rejects a model with invalid numbers. With `NaN`, the threshold would be `NaN`, and compression would always or never
 * run.
 * @throws {PalimpsestError} `OPTION_INVALID`
 */
export function checkModel(model: ModelInfo): void {
  const issues: { path: string[]; message: string }[] = [];
  const addIssue = (field: string, given: unknown, expected: string): void => {
    // The error shows numbers, but no strings: they may contain anything.
    const shown =
      typeof given === 'number'
        ? String(given)
        : given === null || given === undefined
          ? String(given)
          : `a ${typeof given}`;
    issues.push({ path: [field], message: `the model's ${field} is ${shown}; expected ${expected}` });
  };
  const { id, contextLength, maxInputTokens, reserveOutputTokens } = model ?? {};
  if (typeof id !== 'string') addIssue('id', id, 'a string');
  if (typeof contextLength !== 'number' || !(contextLength >= 0))
    addIssue('contextLength', contextLength, 'a number of tokens, or 0 if the window is unknown');
  if (maxInputTokens !== undefined && !(Number.isFinite(maxInputTokens) && maxInputTokens > 0))
    addIssue('maxInputTokens', maxInputTokens, 'a number of tokens above 0, or undefined');
  if (reserveOutputTokens !== undefined && !(Number.isFinite(reserveOutputTokens) && reserveOutputTokens >= 0))
    addIssue('reserveOutputTokens', reserveOutputTokens, 'a non-negative number of tokens, or undefined');
  if (issues.length > 0)
    throw new PalimpsestError(
      'OPTION_INVALID',
      `The model cannot be used: ${issues.map(({ message }) => message).join('; ')}.`,
      {
        issues,
      },
    );
}
