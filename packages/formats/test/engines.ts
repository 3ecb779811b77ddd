import compressor from '@palimpsest/compressor';
import type { ContextEngine, Dialect, EngineHost } from '@palimpsest/core';
import { createEngine, type EnginePlugin } from '@palimpsest/core/authoring';
import pruneCompact from '@palimpsest/prune-compact';
import { testHost } from '@palimpsest/testkit';

async function engineOf<O, S>(plugin: EnginePlugin<O, S>, host: EngineHost, given: unknown): Promise<ContextEngine> {
  const checked = plugin.options!['~standard'].validate(given);
  if (checked instanceof Promise || checked.issues) throw new Error('the options of this test are valid');
  return createEngine(await plugin.create(checked.value, host), host, { name: plugin.name });
}

/** Both engines, with a context window of a third of the tokens, so that each has to use all its phases. */
export async function enginesFor(dialect: Dialect, promptTokens: number): Promise<ContextEngine[]> {
  const model = { id: 'a-model', contextLength: Math.max(2_000, Math.round(promptTokens / 3)) };
  const engines = await Promise.all([
    engineOf(compressor, testHost({ dialect }), { threshold: 0.5, minimumThreshold: 0 }),
    engineOf(pruneCompact, testHost({ dialect }), { protectTokens: 1, minimumTokens: 0 }),
  ]);
  for (const engine of engines) await engine.updateModel(model);
  return engines;
}
