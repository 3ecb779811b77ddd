import { type ContextEngine, type EngineHost, PalimpsestError, type Summarizer } from '@palimpsest/core';
import { createEngine, type EnginePlanner, type EnginePlugin, maskJson } from '@palimpsest/core/authoring';
import { failureReason, maskError } from '../failure-reason.ts';
import { Deadline, type Deadlines } from './deadline.ts';

/**
 * Creates the engine of a plugin. Its calls reject when they do not settle in time, and secrets in its events are masked.
 * @param options validated by the plugin's own schema
 * @throws {PalimpsestError} `ENGINE_FAILED` when the plugin cannot create it, `ENGINE_INVALID` when it does not return a planner
 */
export async function startEngine(
  plugin: EnginePlugin,
  options: unknown,
  host: EngineHost,
  deadlines: Deadlines | undefined,
): Promise<ContextEngine> {
  const { name, stateVersion } = plugin;
  const deadline = new Deadline(host.clock, deadlines);
  const planner = await deadline
    .run(() => plugin.create(options, watchHost(host, deadline)))
    .catch((error: unknown) => {
      // A plugin may refuse its options itself.
      if (PalimpsestError.is(error) && error.code === 'OPTION_INVALID') throw error;
      const reason = failureReason(error, host.redact);
      const message = `Engine "${name}" cannot be created: ${reason}`;
      throw new PalimpsestError(
        'ENGINE_FAILED',
        message,
        { engine: name, reason },
        { cause: maskError(error, host.redact) },
      );
    });
  if (typeof planner?.plan !== 'function' || typeof planner.budget !== 'function')
    throw new PalimpsestError(
      'ENGINE_INVALID',
      `Engine "${name}" cannot be created: its planner lacks "plan" or "budget".`,
      {
        source: name,
      },
    );
  return createEngine(withDeadlines(planner, deadline), host, {
    name,
    stateVersion,
  });
}

/** The host as the plugin gets it: its events and summarizer calls count as progress. */
function watchHost(host: EngineHost, deadline: Deadline): EngineHost {
  const watch = (summarizer: Summarizer | undefined): Summarizer | undefined =>
    summarizer && {
      id: summarizer.id,
      contextLength: summarizer.contextLength,
      timeoutMs: summarizer.timeoutMs,
      offline: summarizer.offline,
      summarize: (request) => deadline.summary(() => summarizer.summarize(request)),
    };
  return {
    ...host,
    // Getters, because a session may get a summarizer later.
    get summarizer() {
      return watch(host.summarizer);
    },
    get fallbackSummarizer() {
      return watch(host.fallbackSummarizer);
    },
    emit(event) {
      deadline.progress();
      host.emit(maskJson(event, host.redact));
    },
  };
}

/** A planner whose asynchronous calls end in time. It may be an instance of a class, so its methods are called on it. */
function withDeadlines<S>(planner: EnginePlanner<S>, deadline: Deadline): EnginePlanner<S> {
  const { initial, trigger, session, tools } = planner;
  return {
    initial,
    trigger,
    budget(model) {
      const budget = planner.budget(model);
      return budget instanceof Promise ? deadline.run(() => budget) : budget;
    },
    plan: (input) => {
      const { asked } = input;
      return deadline.run((signal) => planner.plan({ ...input, asked: { ...asked, signal } }), asked.signal);
    },
    ...(planner.status ? { status: (state) => planner.status!(state) } : {}),
    session: {
      start: (info) => deadline.run(() => session?.start?.(info)),
      response: (messages, usage) => deadline.run(() => session?.response?.(messages, usage)),
      end: (messages) => deadline.run(() => session?.end?.(messages)),
    },
    ...(tools
      ? {
          tools: {
            schemas: tools.schemas,
            handle: (name, input, context) =>
              deadline.run((signal) => tools.handle(name, input, { ...context, signal }), context.signal),
          },
        }
      : {}),
  };
}
