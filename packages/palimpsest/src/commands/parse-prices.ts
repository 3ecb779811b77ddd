import type { ModelPrices } from '@palimpsest/tokens/models';
import { InvalidArgumentError } from 'commander';

/** Parses `3,15,0.3,3.75`: dollars per million tokens of input, output, read from the cache and written to it. */
export function parseModelPrices(text: string): ModelPrices {
  const [input, output, cacheRead, cacheWrite] = numbersOf(text);
  if (cacheWrite === undefined || numbersOf(text).length !== 4)
    throw new InvalidArgumentError(
      'Write four prices, for input,output,cached,written to the cache, such as 3,15,0.3,3.75.',
    );
  return { input: input!, output: output!, cacheRead: cacheRead!, cacheWrite };
}

/** The numbers of a list; none if one of them is invalid. */
function numbersOf(text: string): readonly number[] {
  const parts = text.split(',').map((part) => part.trim());
  return parts.every((part) => /^\d+(?:\.\d+)?$/.test(part)) ? parts.map(Number) : [];
}
