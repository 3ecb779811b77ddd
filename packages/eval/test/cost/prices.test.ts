import { loadModelRegistry } from '@palimpsest/tokens/models';
import { expect, it } from 'vitest';
import { agentPrices } from '../../src/cost/prices.ts';

it('agents pay what the registry of models lists', async () => {
  const registry = await loadModelRegistry();
  for (const { model, ...prices } of Object.values(agentPrices)) expect(registry.prices(model)).toEqual(prices);
});
