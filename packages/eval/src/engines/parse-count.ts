import { InvalidArgumentError } from 'commander';

/**
 * Returns a parser for an option that is a count.
 * @param most the largest count
 * @throws {InvalidArgumentError} the parser, for anything but a whole number from 1
 */
export function parseCount(most: number): (text: string) => number {
  return (text) => {
    const count = /^\d{1,9}$/.test(text) ? Number(text) : 0;
    if (count < 1 || count > most) throw new InvalidArgumentError(`Write a number from 1 to ${most}.`);
    return count;
  };
}
