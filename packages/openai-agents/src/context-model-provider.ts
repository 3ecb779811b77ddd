import type { ModelProvider } from '@openai/agents';
import type { ModelInfo } from '@palimpsest/core';
import { checkOptions, functionRule } from '@palimpsest/core/authoring';
import type { Session } from '@palimpsest/session';
import { contextModel } from './context-model.ts';

export interface ContextModelProviderOptions {
  /**
   * Returns the window of a model by the name that an agent gives it; `undefined` for the default model of the provider.
   * @default the session's model for every name
   */
  readonly model?: ((name: string | undefined) => ModelInfo | undefined) | undefined;
}

/**
 * Wraps the models of a provider of the OpenAI Agents SDK with {@link contextModel}, for all agents of a run.
 *
 * @example
 * const runner = new Runner({ modelProvider: contextModelProvider(session, new OpenAIProvider()) });
 * await runner.run(agent, 'Fix the failing test.');
 */
export function contextModelProvider(
  session: Session,
  provider: ModelProvider,
  options: ContextModelProviderOptions = {},
): ModelProvider {
  checkOptions('contextModelProvider', options, { model: functionRule });
  return {
    getModel: async (name) => contextModel(session, await provider.getModel(name), { model: options.model?.(name) }),
  };
}
