import type { ModelPrices } from '@palimpsest/tokens/models';
import { InvalidArgumentError } from 'commander';

/** Parses `3,15,0.3,3.75`: dollars per million tokens of input, of output, read from the cache and written to it. */
export function parsePrices(text: string): ModelPrices {
  const parts = text.split(',').map((part) => part.trim());
  const [input, output, cacheRead, cacheWrite] = parts.map(Number);
  if (parts.length !== 4 || !parts.every((part) => /^\d+(?:\.\d+)?$/.test(part)))
    throw new InvalidArgumentError(
      'Write four prices, for input,output,cached,written to the cache, such as 3,15,0.3,3.75.',
    );
  return { input: input!, output: output!, cacheRead: cacheRead!, cacheWrite: cacheWrite! };
}
