import type { ModelPrices } from '@palimpsest/tokens/models';

/** Shorter prompts are not cached, by either provider. */
export const minCachedPromptTokens = 1024;

/** The models that the simulated agents run on, by provider. OpenAI takes no surcharge for writing to the cache. */
export const agentPrices: Readonly<Record<Provider, ModelPrices & { readonly model: string }>> = {
  Anthropic: { model: 'claude-sonnet-4-20250514', input: 3, output: 15, cacheRead: 0.3, cacheWrite: 3.75 },
  OpenAI: { model: 'gpt-5', input: 1.25, output: 10, cacheRead: 0.13, cacheWrite: 1.25 },
};

export type Provider = 'Anthropic' | 'OpenAI';
export const providers = Object.keys(agentPrices) as readonly Provider[];

/** Of `gemini-2.5-flash`, a small model that some policies use in addition to the agent's. */
export const smallModelPrices: ModelPrices = { input: 0.3, output: 2.5, cacheRead: 0.075, cacheWrite: 0.3 };
