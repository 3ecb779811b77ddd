import type { Session } from '@palimpsest/session';
import {
  type ContextMiddleware,
  type ContextMiddlewareOptions,
  contextMiddleware,
} from '@palimpsest/session/language-model';

/** The part of a language model of Mastra that is used. */
type StepModel = Parameters<ContextMiddleware['wrapGenerate']>[0]['model'] &
  Parameters<ContextMiddleware['wrapStream']>[0]['model'];

/** The hooks of a `Processor` of `@mastra/core` that {@link contextProcessor} has. */
export interface ContextProcessor {
  readonly id: string;
  readonly name: string;
  processInputStep<Model>(step: { readonly model: Model }): Promise<{ model: Model } | undefined>;
  processLLMRequest(given: { readonly model: unknown }): Promise<undefined>;
}

/**
 * Creates the processor of one conversation, for `inputProcessors` of a Mastra agent. It gives each step a model that sends
 * prompts as the session prepares them, so memory and history stay whole. The session learns from the answers; a refusal
 * for size is followed by a smaller prompt.
 *
 * @example
 * const agent = new Agent({ id, name, instructions, model, inputProcessors: [contextProcessor(session)] });
 */
export function contextProcessor(session: Session, options: ContextMiddlewareOptions = {}): ContextProcessor {
  const middleware = contextMiddleware(session, options);
  const wrapped = new WeakSet<object>();
  return {
    id: 'palimpsest',
    name: 'Palimpsest',
    async processInputStep<Model>({ model }: { readonly model: Model }) {
      // Mastra also calls its processors where it calls no model.
      if (typeof model !== 'object' || model === null) return undefined;
      // Mastra may pass on the model of the step before.
      if (wrapped.has(model)) return { model };
      const own = wrapModel(model as StepModel & Model, middleware);
      wrapped.add(own);
      return { model: own };
    },
    async processLLMRequest({ model }) {
      if (!wrapped.has(model as object))
        session.notePassedThrough(
          'Another processor, or prepareStep, has replaced the model of this step. Put the processor of Palimpsest last, and choose the model of the agent by a function.',
        );
      return undefined;
    },
  };
}

/** The same model with its calls wrapped. Mastra looks at its class, so it is not a new object. */
function wrapModel<Model extends StepModel>(model: Model, { wrapGenerate, wrapStream }: ContextMiddleware): Model {
  const calls: Readonly<Record<PropertyKey, unknown>> = {
    doGenerate: (params: Parameters<typeof wrapGenerate>[0]['params']) => wrapGenerate({ params, model }),
    doStream: (params: Parameters<typeof wrapStream>[0]['params']) => wrapStream({ params, model }),
  };
  // Not of the model itself: a proxy must return the own methods of a frozen object.
  return new Proxy(Object.create(model) as Model, {
    set: (_, name, value) => Reflect.set(model, name, value),
    ownKeys: () => Reflect.ownKeys(model),
    getOwnPropertyDescriptor(_, name) {
      const own = Reflect.getOwnPropertyDescriptor(model, name);
      return own && { ...own, configurable: true };
    },
    get(_, name) {
      if (name === 'doGenerate' || name === 'doStream') return calls[name];
      const value: unknown = Reflect.get(model, name, model);
      // Methods of a class may use private fields, which a proxy does not have.
      return typeof value === 'function' && name !== 'constructor' ? value.bind(model) : value;
    },
  });
}
