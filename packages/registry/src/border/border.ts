import type { Budget, Decision, EngineHost, Message, TriggerOptions } from '@palimpsest/core';
import {
  basisOf,
  type EngineTools,
  maskedJson,
  maskedJsonText,
  type Plan,
  type PlannedFrom,
  type PlanSource,
  type Transcript,
} from '@palimpsest/core/authoring';
import { foreignEdits } from './foreign-edits.ts';
import { ForeignView } from './foreign-view.ts';
import { jsonCopy } from './json-copy.ts';
import { answer, budgetAnswer, decisionAnswer, planEnvelope, toolSchemas, triggerFigures } from './planner-answer.ts';
import { structuralCopy } from './structural-copy.ts';

/** Converts what crosses between a host and the planner of an engine, in both directions. */
export interface Border<S> {
  /** Converts a state, in either direction. @param what its name in error messages */
  state(state: unknown, what: string): S;
  /** The transcript for the engine. */
  transcript(transcript: Transcript): Transcript;
  /** The history behind the transcript, for the engine. */
  source(source: PlanSource): PlanSource;
  /** Other messages for the engine. */
  messages(messages: readonly Message[]): readonly Message[];
  /** JSON for the engine: a model, a session, the input of a tool. */
  sent<T extends object>(value: T): T;
  /**
   * @param from what the host passed in
   * @param seen the copy of `from` that the engine saw
   */
  plan(given: Plan<S>, from: PlannedFrom, seen: PlannedFrom): Plan<S>;
  budget(given: Budget): Budget;
  decision(given: Decision): Decision;
  trigger(given: Partial<TriggerOptions>): Partial<TriggerOptions>;
  toolSchemas(given: EngineTools['schemas']): EngineTools['schemas'];
  toolAnswer(given: string): string;
}

/** The border to a trusted engine: it gets the messages themselves, and its answers are not validated. */
export function trustedBorder<S>(): Border<S> {
  return {
    state: (state) => state as S,
    transcript: (transcript) => transcript,
    source: (source) => source,
    messages: (messages) => messages,
    sent: (value) => structuralCopy(value),
    plan: (given) => given,
    budget: (given) => given,
    decision: (given) => given,
    trigger: (given) => given,
    toolSchemas: (given) => given,
    toolAnswer: (given) => given,
  };
}

/**
 * The border to a foreign engine. Only frozen copies go out, only validated JSON comes back, and the host's redactor
 * masks secrets in every string of both.
 */
export function foreignBorder<S>(host: EngineHost): Border<S> {
  const redact = (text: string): string => host.redact(text);
  const view = new ForeignView(host);
  const state = (given: unknown, what: string): S => jsonCopy(given, what, { frozen: true, redact }) as S;
  return {
    state,
    transcript: (transcript) => view.transcript(transcript),
    source: ({ transcript, origins }) => ({
      transcript: view.transcript(transcript),
      origins: structuralCopy(origins),
    }),
    messages: (messages) => view.messages(messages),
    sent: (value) => structuralCopy(maskedJson(value, redact)),
    plan(given, from, seen) {
      const { edits, basis, state: next, outcome, notes } = answer(planEnvelope, given, 'Its plan');
      const about = { ...given, basis };
      const own = jsonCopy(edits, 'the list of edits') as unknown[];
      return {
        edits: foreignEdits(own, basisOf(about, from), basisOf(about, seen).messages, host),
        ...(basis ? { basis } : {}),
        state: state(next, 'the state of the plan'),
        ...(outcome ? { outcome } : {}),
        ...(notes ? { notes: jsonCopy(notes, 'the notes of the plan', { redact }) as Plan<S>['notes'] } : {}),
      };
    },
    budget: (given) => structuralCopy(maskedJson(answer(budgetAnswer, given, 'Its budget'), redact)),
    decision: (given) => maskedJson(answer(decisionAnswer, given, 'Its decision'), redact),
    trigger: (given) => answer(triggerFigures, given, 'Its trigger'),
    toolSchemas: (given) => answer(toolSchemas, jsonCopy(given, 'its list of tools', { redact }), 'Its list of tools'),
    toolAnswer: (given) => maskedJsonText(given, redact),
  };
}
