import { type Decision, type EngineHost, PalimpsestError } from '@palimpsest/core';
import type { EnginePlanner, EngineTools, PlannedFrom } from '@palimpsest/core/authoring';
import { type Border, foreignBorder, trustedBorder } from './border.ts';
import { failureReason } from './failure-reason.ts';
import { jsonCopy } from './json-copy.ts';
import { maskedFailure } from './masked-error.ts';
import { OptionalCalls } from './optional-calls.ts';
import type { Watch } from './watch.ts';

export interface PlannerGuard {
  readonly engine: string;
  /** The unguarded host. The planner itself was created with a guarded one. */
  readonly host: EngineHost;
  readonly watch: Watch;
  /** True for built-in engines: they get the transcript itself, and their answers are not validated. */
  readonly trusted: boolean;
  /** Reports an optional method that failed and was skipped. */
  report(method: string, error: unknown): void;
}

/** What the guarded methods of one planner share. */
interface Guarded<S> extends PlannerGuard {
  readonly planner: EnginePlanner<S>;
  readonly border: Border<S>;
  readonly optional: OptionalCalls;
}

/**
 * Wraps a planner so that everything between it and the host passes a {@link Border}, within deadlines. A failing `plan`
 * or `budget` rejects, and the quarantine decides what follows. An optional method that throws, hangs or returns an
 * invalid value is reported, and its default is used.
 */
export function guardedPlanner<S>(planner: EnginePlanner<S>, guard: PlannerGuard): EnginePlanner<S> {
  const { engine, host, trusted } = guard;
  if (typeof planner?.plan !== 'function' || typeof planner.budget !== 'function')
    throw new PalimpsestError('ENGINE_INVALID', 'its planner lacks "plan" or "budget"', { source: engine });
  const border = trusted ? trustedBorder<S>() : foreignBorder<S>(host);
  const guarded: Guarded<S> = { ...guard, planner, border, optional: new OptionalCalls(guard) };
  return {
    initial: border.state(planner.initial, 'its initial state'),
    budget: guardedBudget(guarded),
    plan: guardedPlan(guarded),
    ...optionalMethods(guarded),
    ...(planner.tools ? { tools: guardedTools(planner.tools, guarded) } : {}),
    session: guardedSession(guarded),
  };
}

function guardedBudget<S>({ planner, border, engine, watch, trusted }: Guarded<S>): EnginePlanner<S>['budget'] {
  return (model) => {
    const sent = border.sent(model);
    if (trusted) return planner.budget(sent);
    return watch.run(engine, (signal) => planner.budget(sent, signal), { final: true }).then(border.budget);
  };
}

function guardedPlan<S>({ planner, border, engine, watch, trusted }: Guarded<S>): EnginePlanner<S>['plan'] {
  return async ({ transcript, source, request, budget, state, strikes }) => {
    let seen: PlannedFrom = { transcript, source };
    const given = await watch.run(
      engine,
      (signal) => {
        seen = { transcript: border.transcript(transcript), ...(source ? { source: border.source(source) } : {}) };
        const input = {
          ...seen,
          request: Object.freeze({ ...request, signal }),
          budget,
          state: border.state(state, 'its state'),
          strikes,
        };
        return planner.plan(Object.freeze(input));
      },
      // A built-in engine stays in service after a timeout, so its watch must not end for good.
      { signal: request.signal, final: !trusted },
    );
    return border.plan(given, { transcript, source }, seen);
  };
}

type OptionalMethods<S> = Pick<EnginePlanner<S>, 'trigger' | 'decide' | 'hasContentToCompress' | 'status'>;

function optionalMethods<S>({ planner, border, host, optional }: Guarded<S>): OptionalMethods<S> {
  const { trigger } = planner;
  return {
    ...(trigger ? { trigger: optional.now('trigger', () => border.trigger(trigger), {}) } : {}),
    ...(planner.decide
      ? {
          decide(size, state) {
            const decide = (): Decision => border.decision(planner.decide!(Object.freeze({ ...size }), state));
            // `createEngine` uses core's trigger when this is `undefined`, which the contract's type does not allow.
            return optional.now<Decision | undefined>('decide', decide, undefined) as Decision;
          },
        }
      : {}),
    ...(planner.hasContentToCompress
      ? {
          hasContentToCompress({ transcript, ...rest }) {
            const input = { transcript: border.transcript(transcript), ...rest };
            return optional.now('hasContentToCompress', () => Boolean(planner.hasContentToCompress!(input)), true);
          },
        }
      : {}),
    ...(planner.status
      ? {
          status(state) {
            const redact = (text: string): string => host.redact(text);
            const status = (): object => jsonCopy(planner.status!(state), 'its status', { redact }) as object;
            return optional.now('status', status, {}) as Readonly<Record<string, unknown>>;
          },
        }
      : {}),
  };
}

function guardedSession<S>({ planner, border, optional }: Guarded<S>): NonNullable<EnginePlanner<S>['session']> {
  const { session } = planner;
  return {
    start: (info) =>
      optional.later('session.start', async () => {
        const begun = await session?.start?.(border.sent(info));
        return begun === undefined ? undefined : border.state(begun, 'the state of the session');
      }),
    turn: (messages, usage) =>
      optional.later('session.turn', async () => session?.turn?.(border.messages(messages), usage && { ...usage })),
    end: (messages) => optional.later('session.end', async () => session?.end?.(border.messages(messages))),
  };
}

function guardedTools<S>(
  tools: EngineTools<S>,
  { border, engine, host, watch, optional, report }: Guarded<S>,
): EngineTools<S> {
  const redact = (text: string): string => host.redact(text);
  return {
    schemas: optional.now('tools', () => border.toolSchemas(tools.schemas), []),
    async handle(name, input, { messages, state, signal: cancelled }) {
      try {
        const call = (signal: AbortSignal): Promise<string> =>
          tools.handle(name, border.sent(input), {
            messages: border.messages(messages),
            state: border.state(state, 'its state'),
            signal,
          });
        const given: unknown = await watch.run(engine, call, { signal: cancelled });
        if (typeof given === 'string') return border.toolAnswer(given);
        throw new PalimpsestError('ENGINE_FAILED', `its tool returned ${typeof given} instead of a JSON string`);
      } catch (error) {
        if (cancelled?.aborted) throw maskedFailure(error, redact);
        report(`tools.handle(${name})`, error);
        return JSON.stringify({ error: `Context engine tool ${name} failed: ${failureReason(error, redact)}` });
      }
    },
  };
}
