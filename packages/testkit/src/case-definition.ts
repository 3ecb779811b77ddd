import type { CompressResult, Message } from '@palimpsest/core';
import type fc from 'fast-check';
import { type Attempt, attempt, type CreateEngine, readRefusal } from './attempt.ts';
import type { TestHostParts } from './host/test-host.ts';
import { arbitraryScenario, type Scenario } from './scenario.ts';
import { plainExamples } from './transcripts/transcript-examples.ts';

/** Creates the case of an invariant that the result of one compaction has to keep. */
export const resultCase = (
  invariant: number,
  promise: string,
  check: (result: CompressResult<Message>, scenario: Scenario) => void,
): CaseDefinition => ({
  name: `invariant ${invariant}: ${promise}`,
  examples: plainExamples,
  arbitrary: arbitraryScenario,
  async check(scenario, { create, hostParts }) {
    const result = resultOf(await attempt(create, scenario, hostParts), invariant);
    if (result) check(result, scenario);
  },
});

/** Settings of the run that a case is part of. */
export interface CaseContext {
  readonly create: CreateEngine;
  readonly secrets: readonly string[];
  /** Overrides for every test host, such as the caller's redactor. */
  readonly hostParts: TestHostParts;
}

/** One promise of the contract: a check for a scenario, and the scenarios to check. */
export interface CaseDefinition<S extends Scenario = Scenario> {
  readonly name: string;
  /** Fixed scenarios, checked before the generated ones. */
  readonly examples: (
    context: Omit<CaseContext, 'create'>,
  ) => readonly { readonly name: string; readonly scenario: S }[];
  readonly arbitrary: (options: { readonly maxLength: number; readonly secrets: readonly string[] }) => fc.Arbitrary<S>;
  /** Rejects with a {@link CaseFailure} if the engine breaks the promise. */
  readonly check: (scenario: S, context: CaseContext) => Promise<void>;
}

/** Thrown when an engine fails a case. Its text says what broke and, if it is about one message, at which index. */
export class CaseFailure extends Error {
  override readonly name: string = 'CaseFailure';
}

/** Throws a {@link CaseFailure}. */
export function fail(what: string): never {
  throw new CaseFailure(what);
}

/** Throws a {@link CaseFailure} unless the condition is true. */
export function ensure(condition: boolean, what: () => string): asserts condition {
  if (!condition) fail(what());
}

/**
 * Returns the result of an attempt, or `null` if it rejected for a reason that another case covers.
 * @param invariant fails the case if core rejected the plan because it breaks this invariant
 */
export function resultOf(attempt: Attempt, invariant: number): Attempt['result'] {
  const refused = readRefusal(attempt).find((one) => one.invariant === invariant);
  if (refused) fail(`core rejected the plan: ${refused.reason}`);
  return attempt.result;
}
