import { InvalidArgumentError } from 'commander';

/**
 * Returns a parser for an option that is a count.
 * @param most the largest count
 * @param least the smallest
 * @throws {InvalidArgumentError} the parser, for any other value
 */
export function parseCount(most: number, least = 1): (text: string) => number {
  return (text) => {
    const count = /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN;
    if (!(count >= least && count <= most)) throw new InvalidArgumentError(`Write a number from ${least} to ${most}.`);
    return count;
  };
}
