import { createTokenCounter, type MessageTokenCounter } from '../counter/token-counter.ts';
import { modelProfile } from './model-profile.ts';

/** Returns the counter of a model, given its name. */
export type ModelCounter = (model: string) => MessageTokenCounter;

/**
 * Creates the counter of a model: estimates its tokenizer, and what it adds around messages and tools. Images cost a flat
 * 1,600 tokens; `loadModelCounter` of `@palimpsest/tokens/images` counts them by their size.
 * @param model any common form of its name; unknown models are counted as `createTokenCounter()` does
 */
export function createModelCounter(model: string): MessageTokenCounter {
  const { encoding, envelope } = modelProfile(model);
  return createTokenCounter({ encoding, envelope });
}
