import { expect, it } from 'vitest';
import { runMarkedAgents } from './marked-agents.ts';

it('no conversation of three agents, their sub-agents and titles gets messages of another', async () => {
  const result = await runMarkedAgents({ window: 16_000, recall: true, rounds: [25, 30], pauseMs: 0, forMs: 0 });
  expect(result).toMatchObject({ mixed: [], failures: [], refused: 0 });
  expect(result.compactions).toBeGreaterThanOrEqual(9);
});
