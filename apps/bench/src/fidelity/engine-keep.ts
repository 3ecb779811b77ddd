import type { Message } from '@palimpsest/core';
import { type Compact, engineTarget } from '@palimpsest/eval/measures';
import { benchHost, type OpenEngine } from '../engines/open-engine.ts';

/** Creates a `Compact` that compresses with an engine, with default options and without a model, to the budget. */
export function engineKeep(open: OpenEngine): Compact {
  return async (past, budgetTokens, counter) => {
    const engine = open(benchHost(counter), 200_000);
    const { messages } = await engine.compress(past, {
      targetTokens: engineTarget(past, budgetTokens, counter),
      force: true,
    });
    return messages as readonly Message[];
  };
}
