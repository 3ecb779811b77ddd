import { resolveModel } from 'tokenlens';

/** Prices of a model, in dollars per million tokens, and how its provider's prompt cache works. */
export interface ModelPrices {
  readonly model: string;
  /** An input token that is neither read from the cache nor written to it. */
  readonly input: number;
  /** An input token read from the cache. */
  readonly cached: number;
  /** An input token of the agent's own requests that is written to the cache. */
  readonly written: number;
  readonly output: number;
}

/** Shorter prompts are not cached, by either provider. */
export const smallestCachedPrompt = 1024;

/** Prices as `tokenlens` lists them (from models.dev). OpenAI takes no surcharge for writing to the cache. */
function pricesOf(model: string): ModelPrices {
  const pricing = resolveModel(model)?.pricing;
  const { inputPerMTokens: input, outputPerMTokens: output, cacheReadPerMTokens: cached } = pricing ?? {};
  if (input === undefined || output === undefined || cached === undefined)
    throw new Error(`tokenlens has no prices for ${model}`);
  return { model, input, cached, written: pricing?.cacheWritePerMTokens ?? input, output };
}

/** The models that the simulated agents run on, by provider. */
export const agentPrices: Readonly<Record<Provider, ModelPrices>> = {
  Anthropic: pricesOf('anthropic:claude-sonnet-4-20250514'),
  OpenAI: pricesOf('openai:gpt-5'),
};

export type Provider = 'Anthropic' | 'OpenAI';
export const providers = Object.keys(agentPrices) as readonly Provider[];

/** A small model that some policies use beside the agent's. */
export const smallModelPrices: ModelPrices = pricesOf('google:gemini-2.5-flash');
