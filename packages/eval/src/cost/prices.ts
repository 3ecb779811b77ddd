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

/** The models that the simulated agents run on, by provider. OpenAI takes no surcharge for writing to the cache. */
export const agentPrices: Readonly<Record<Provider, ModelPrices>> = {
  Anthropic: { model: 'claude-sonnet-4-20250514', input: 3, cached: 0.3, written: 3.75, output: 15 },
  OpenAI: { model: 'gpt-5', input: 1.25, cached: 0.13, written: 1.25, output: 10 },
};

export type Provider = 'Anthropic' | 'OpenAI';
export const providers = Object.keys(agentPrices) as readonly Provider[];

/** A small model that some policies use in addition to the agent's. */
export const smallModelPrices: ModelPrices = {
  model: 'gemini-2.5-flash',
  input: 0.3,
  cached: 0.075,
  written: 0.3,
  output: 2.5,
};
