import {
  createEngine,
  createHost,
  type EngineHost,
  type EnginePlugin,
  type Message,
  type TokenCounter,
} from '@palimpsest/core';
import { redact } from '@palimpsest/redactor';
import type { Keep } from './baselines.ts';

/** An engine with its defaults and no model, asked to land at the budget. */
export function engineKeep<O, S>(plugin: EnginePlugin<O, S>): Keep {
  const { name, create, options } = plugin;
  const checked = options?.['~standard'].validate({});
  if (!checked || checked instanceof Promise || checked.issues) throw new Error(`${name} has no default options`);
  return async (past, budgetTokens, counter) => {
    const host = hostWithout(counter);
    const engine = createEngine(create(checked.value, host), host, { name });
    engine.updateModel({ id: 'bench', contextLength: 200_000 });
    const { messages } = await engine.compress(past, { targetTokens: Math.floor(budgetTokens), force: true });
    return messages as readonly Message[];
  };
}

function hostWithout(counter: TokenCounter): EngineHost {
  return createHost({ tokens: counter, redact: (text) => redact(text, { boundary: true }) });
}
