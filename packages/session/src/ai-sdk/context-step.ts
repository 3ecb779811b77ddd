import { withOptionOwner } from '@palimpsest/core/authoring';
import type { LanguageModel } from 'ai';
import * as ai from 'ai';
import type { Session } from '../session.ts';
import { type ContextMiddlewareOptions, contextMiddleware } from './context-middleware.ts';

/** A `prepareStep` for any set of tools. */
export type PrepareStep = (step: { readonly model: LanguageModel }) => { model: LanguageModel };

/**
 * Creates the `prepareStep` of `generateText`, `streamText` and agents, for a model that is chosen elsewhere, or by its name.
 * It wraps the model of each step in {@link contextMiddleware}.
 *
 * @example
 * await generateText({ model: 'openai/gpt-5', system, tools, messages, prepareStep: contextStep(session) });
 */
export function contextStep(session: Session, options: ContextMiddlewareOptions = {}): PrepareStep {
  const middleware = withOptionOwner('contextStep', () => contextMiddleware(session, options));
  return ({ model }) => {
    // The oldest versions do not export the gateway: a named import would not load there.
    const provider = globalThis.AI_SDK_DEFAULT_PROVIDER ?? ai.gateway;
    const given = typeof model === 'string' ? provider.languageModel(model) : model;
    return {
      model: ai.wrapLanguageModel({ model: given as Parameters<typeof ai.wrapLanguageModel>[0]['model'], middleware }),
    };
  };
}
