import { loadModelRegistry } from '@palimpsest/tokens/models';
import { expect, it } from 'vitest';
import { agentPrices } from '../../src/cost/prices.ts';

it('agents pay what the registry of models lists', async () => {
  const registry = await loadModelRegistry();
  for (const { model, input, cached, written, output } of Object.values(agentPrices))
    expect(registry.prices(model)).toEqual({ input, output, cacheRead: cached, cacheWrite: written });
});
