import { type Budget, type Decision, type EngineHost, type Message, PalimpsestError } from '@palimpsest/core';
import {
  type EnginePlanner,
  type EngineTools,
  maskedJson,
  maskedJsonText,
  type Plan,
  type PlanInput,
  type Transcript,
} from '@palimpsest/core/authoring';
import { failureReason } from './failure-reason.ts';
import { foreignEdits } from './foreign-edits.ts';
import { ForeignView } from './foreign-view.ts';
import { jsonCopy } from './json-copy.ts';
import { answer, budgetAnswer, decisionAnswer, planEnvelope, toolSchemas, triggerFigures } from './planner-answer.ts';
import { structuralCopy } from './structural-copy.ts';
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

/**
 * Wraps a planner so that its failures are contained. Errors of `plan` and `budget` go to the quarantine. An optional
 * method that throws, hangs or returns an invalid value is reported, and its default is used. A foreign planner gets a
 * frozen copy of the transcript with secrets masked, and can return only JSON.
 */
export function guardedPlanner<S>(planner: EnginePlanner<S>, guard: PlannerGuard): EnginePlanner<S> {
  const { engine, host, watch, trusted, report } = guard;
  const redact = (text: string): string => host.redact(text);
  const view = new ForeignView(host);
  const stateOf = (state: unknown, what: string): S =>
    (trusted ? state : jsonCopy(state, what, { frozen: true, redact })) as S;
  const transcriptOf = (transcript: Transcript): Transcript => (trusted ? transcript : view.transcript(transcript));
  const budgetOf = (given: Budget): Budget =>
    structuralCopy(maskedJson(answer(budgetAnswer, given, 'Its budget'), redact));
  const messagesOf = (messages: readonly Message[]): readonly Message[] =>
    trusted ? messages : view.messages(messages);

  if (typeof planner?.plan !== 'function' || typeof planner.budget !== 'function')
    throw new PalimpsestError('ENGINE_INVALID', 'its planner lacks "plan" or "budget"', { source: engine });

  const skipping = <T>(method: string, call: () => T, otherwise: T): T => {
    try {
      return call();
    } catch (error) {
      report(method, error);
      return otherwise;
    }
  };
  const skippingLater = async <T>(method: string, call: () => Promise<T> | undefined, otherwise: T): Promise<T> => {
    try {
      return (await watch.run(engine, async () => call())) ?? otherwise;
    } catch (error) {
      report(method, error);
      return otherwise;
    }
  };

  const plan = async ({ transcript, source, request, budget, state, strikes }: PlanInput<S>): Promise<Plan<S>> => {
    const given = await watch.run(
      engine,
      (signal) =>
        planner.plan(
          Object.freeze({
            transcript: transcriptOf(transcript),
            ...(source ? { source: messagesOf(source) } : {}),
            request: Object.freeze({ ...request, signal }),
            budget,
            state: stateOf(state, 'its state'),
            strikes,
          }),
        ),
      // A built-in engine stays in service after a timeout, so its watch must not end for good.
      { signal: request.signal, final: !trusted },
    );
    if (trusted) return given;
    const envelope = answer(planEnvelope, given, 'Its plan');
    return {
      edits: foreignEdits(jsonCopy(envelope.edits, 'the list of edits') as unknown[], transcript, host),
      state: stateOf(envelope.state, 'the state of the plan'),
      ...(envelope.outcome ? { outcome: envelope.outcome } : {}),
      ...(envelope.notes
        ? { notes: jsonCopy(envelope.notes, 'the notes of the plan', { redact }) as Plan<S>['notes'] }
        : {}),
    };
  };

  return {
    initial: stateOf(planner.initial, 'its initial state'),
    budget: (model) => {
      const given = Object.freeze(trusted ? { ...model } : { ...maskedJson(model, redact) });
      if (trusted) return planner.budget(given);
      return watch.run(engine, (signal) => planner.budget(given, signal), { final: true }).then(budgetOf);
    },
    plan,
    ...(planner.trigger
      ? {
          trigger: skipping(
            'trigger',
            () => (trusted ? planner.trigger! : answer(triggerFigures, planner.trigger, 'Its trigger')),
            {},
          ),
        }
      : {}),
    ...optionalDecide(planner, guard, skipping),
    ...(planner.hasContentToCompress
      ? {
          hasContentToCompress: ({ transcript, ...rest }) =>
            skipping(
              'hasContentToCompress',
              () => Boolean(planner.hasContentToCompress!({ transcript: transcriptOf(transcript), ...rest })),
              true,
            ),
        }
      : {}),
    ...(planner.status
      ? {
          status: (state: S) =>
            skipping('status', () => jsonCopy(planner.status!(state), 'its status', { redact }), {}) as Readonly<
              Record<string, unknown>
            >,
        }
      : {}),
    ...(planner.tools ? { tools: guardedTools(planner.tools, guard, messagesOf) } : {}),
    session: {
      start: (info) =>
        skippingLater(
          'session.start',
          async () => {
            const begun = await planner.session?.start?.(structuralCopy(trusted ? info : maskedJson(info, redact)));
            return begun === undefined ? undefined : stateOf(begun, 'the state of the session');
          },
          undefined,
        ),
      turn: (messages, usage) =>
        skippingLater(
          'session.turn',
          () => planner.session?.turn?.(messagesOf(messages), usage && { ...usage }),
          undefined,
        ),
      end: (messages) => skippingLater('session.end', () => planner.session?.end?.(messagesOf(messages)), undefined),
    },
  };
}

type Skipping = <T>(method: string, call: () => T, otherwise: T) => T;

/** Wraps `decide`. If it fails, core's own trigger decides. */
function optionalDecide<S>(
  planner: EnginePlanner<S>,
  guard: PlannerGuard,
  skipping: Skipping,
): Pick<EnginePlanner<S>, 'decide'> {
  if (!planner.decide) return {};
  return {
    decide: (size, state) => {
      const decided = skipping<Decision | undefined>(
        'decide',
        () => {
          const given = planner.decide!(Object.freeze({ ...size }), state);
          if (guard.trusted) return given;
          const decision = answer(decisionAnswer, given, 'Its decision');
          return { ...decision, message: guard.host.redact(decision.message) };
        },
        undefined,
      );
      // `createEngine` uses core's trigger when the answer is `undefined`, which the contract's type does not allow.
      return decided as Decision;
    },
  };
}

function guardedTools(
  tools: EngineTools,
  { engine, host, watch, trusted, report }: PlannerGuard,
  messagesOf: (messages: readonly Message[]) => readonly Message[],
): EngineTools {
  const redact = (text: string): string => host.redact(text);
  const inputOf = (input: Record<string, unknown>): Record<string, unknown> =>
    structuralCopy(trusted ? input : maskedJson(input, redact));
  let schemas: EngineTools['schemas'] = [];
  try {
    schemas = trusted
      ? tools.schemas
      : answer(toolSchemas, jsonCopy(tools.schemas, 'its list of tools', { redact }), 'Its list of tools');
  } catch (error) {
    report('tools', error);
  }
  return {
    schemas,
    async handle(name, input, context) {
      try {
        const call = (signal: AbortSignal): Promise<string> =>
          tools.handle(name, inputOf(input), { messages: messagesOf(context.messages), signal });
        const given: unknown = await watch.run(engine, call, { signal: context.signal });
        if (typeof given === 'string') return trusted ? given : maskedJsonText(given, redact);
        throw new PalimpsestError('ENGINE_FAILED', `its tool returned ${typeof given} instead of a JSON string`);
      } catch (error) {
        if (context.signal?.aborted) throw error;
        report(`tools.handle(${name})`, error);
        return JSON.stringify({ error: `Context engine tool ${name} failed: ${failureReason(error, redact)}` });
      }
    },
  };
}
