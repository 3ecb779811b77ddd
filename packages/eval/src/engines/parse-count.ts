import { InvalidArgumentError } from 'commander';

/**
 * Returns a parser for an option that is a count.
 * @param max the largest count
 * @param min the smallest
 * @throws {InvalidArgumentError} the parser, for any other value
 */
export function parseCount(max: number, min = 1): (text: string) => number {
  return (text) => {
    const count = /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN;
    if (!(count >= min && count <= max)) throw new InvalidArgumentError(`Write a number from ${min} to ${max}.`);
    return count;
  };
}
