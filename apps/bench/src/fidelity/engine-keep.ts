import type { Message } from '@palimpsest/core';
import { benchHost, type OpenEngine } from '../engines/open-engine.ts';
import type { Keep } from './baselines.ts';

/** An engine with its defaults and no model, asked to land at the budget. */
export function engineKeep(open: OpenEngine): Keep {
  return async (past, budgetTokens, counter) => {
    const engine = open(benchHost(counter), 200_000);
    const { messages } = await engine.compress(past, { targetTokens: Math.floor(budgetTokens), force: true });
    return messages as readonly Message[];
  };
}
