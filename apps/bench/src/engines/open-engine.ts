import { agentReader } from '@palimpsest/agents';
import compressor, { compressorPlanner } from '@palimpsest/compressor';
import {
  type ContextEngine,
  createHost,
  type Dialect,
  type EngineHost,
  type Summarizer,
  type TokenCounter,
} from '@palimpsest/core';
import { createEngine, type EnginePlanner, type EnginePlugin } from '@palimpsest/core/authoring';
import pruneCompact, { pruneCompactPlanner } from '@palimpsest/prune-compact';
import { redact } from '@palimpsest/redactor';

/** Opens an engine with default options, as in a new session. `contextLength` is in tokens. */
export type OpenEngine = (host: EngineHost, contextLength: number) => ContextEngine;

/** Opens the compressor with other options. */
export const openCompressor = (given: unknown): OpenEngine => opening(compressor, compressorPlanner, given);

/** Our engines, by name. */
export const engines: Readonly<Record<'compressor' | 'prune-compact', OpenEngine>> = {
  compressor: opening(compressor, compressorPlanner),
  'prune-compact': opening(pruneCompact, pruneCompactPlanner),
};

function opening<O, S>(
  plugin: EnginePlugin<O, S>,
  plannerOf: (options: O, host: EngineHost) => EnginePlanner<S>,
  given: unknown = {},
): OpenEngine {
  const checked = plugin.options?.['~standard'].validate(given);
  if (!checked || checked instanceof Promise || checked.issues)
    throw new Error(`${plugin.name} does not take these options`);
  return (host, contextLength) => {
    const engine = createEngine(plannerOf(checked.value, host), host, { name: plugin.name });
    // The budgets of both engines are synchronous.
    void engine.updateModel({ id: 'bench', contextLength });
    return engine;
  };
}

/** Creates the host for engines. @param summarizer without one, engines use the extractive writer */
export function benchHost(counter: TokenCounter, summarizer?: Summarizer, dialect: Dialect = 'openai'): EngineHost {
  return createHost({
    tokens: counter,
    reader: agentReader,
    dialect,
    redact: (text) => redact(text, { boundary: true }),
    ...(summarizer ? { summarizer } : {}),
  });
}

/**
 * A summarizer that simulates a model that forgets everything: it immediately returns a valid summary with one sentence
 * that is true of any session. A completely empty summary would be rejected.
 */
export const forgetfulSummarizer: Summarizer = {
  id: 'forgetful',
  summarize: async ({ material }) => ({
    text: `## ${material.template.sections.find(({ byRules }) => !byRules)!.heading}\nCarry on with the work the user asked for.`,
  }),
};
