import { InvalidArgumentError } from 'commander';

const factors: Readonly<Record<string, number>> = { '': 1, k: 1_000, m: 1_000_000 };

/**
 * Parses a token count such as `200000`, `128k` or `1.5m`; k is 1,000.
 * @throws {InvalidArgumentError} for anything else, and for values outside 1,000 to 100 million
 */
export function parseTokens(text: string): number {
  const match = /^(\d{1,9}(?:[_,]\d{3}){0,2}(?:\.\d{1,6})?)([km]?)$/.exec(text.trim().toLowerCase());
  const tokens = match ? Number(match[1]!.replace(/[_,]/g, '')) * factors[match[2]!]! : Number.NaN;
  if (!Number.isFinite(tokens))
    throw new InvalidArgumentError('Write a number of tokens such as 32k, 128k, 1m or 200000.');
  if (tokens < 1_000 || tokens > 100_000_000)
    throw new InvalidArgumentError('Write a number of tokens between 1k and 100m.');
  return Math.round(tokens);
}
