import { InvalidArgumentError } from 'commander';
import type { InputPrices } from '../comparison/replay/input-cost.ts';

/** Parses `3,0.3,3.75`: dollars per million tokens of input, read from the cache and written to it. */
export function parsePrices(text: string): InputPrices {
  const parts = text.split(',').map((part) => part.trim());
  const [input, cacheRead, cacheWrite] = parts.map(Number);
  if (parts.length !== 3 || !parts.every((part) => /^\d+(?:\.\d+)?$/.test(part)))
    throw new InvalidArgumentError('Write three prices, for input,cached,written to the cache, such as 3,0.3,3.75.');
  return { input: input!, cacheRead: cacheRead!, cacheWrite: cacheWrite! };
}
