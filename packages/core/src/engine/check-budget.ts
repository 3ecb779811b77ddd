import { PalimpsestError } from '../errors.ts';
import type { Budget } from './model.ts';

const figures = ['contextLength', 'usableTokens', 'thresholdTokens', 'tailTokens', 'summaryTokens'] as const;

/**
 * Returns a planner's budget if all of its figures are numbers of tokens.
 * @throws {PalimpsestError} `INVARIANT_VIOLATED`
 */
export function checkBudget(engine: string, budget: Budget): Budget {
  const violations = figures.flatMap((name) => {
    const value: unknown = budget?.[name];
    const isTokens = typeof value === 'number' && value >= 0;
    return isTokens ? [] : [`${name} is not a number of tokens`];
  });
  if (violations.length === 0) return budget;
  throw new PalimpsestError(
    'INVARIANT_VIOLATED',
    `The budget of engine "${engine}" cannot be used: ${violations.join(', ')}.`,
    { engine, violations },
  );
}
