import type fc from 'fast-check';
import { type Attempt, type CreateEngine, refusedInvariants } from './attempt.ts';
import type { Scenario } from './scenario.ts';
import type { TestHostParts } from './test-host.ts';

/** What a case may know about the run it is part of. */
export interface CaseContext {
  readonly create: CreateEngine;
  readonly secrets: readonly string[];
  /** The parts of every host: the redactor the caller gave, and the like. */
  readonly hostParts: TestHostParts;
}

/** A promise of the contract as a check of one scenario, with scenarios to try. */
export interface CaseDefinition<S extends Scenario = Scenario> {
  readonly name: string;
  /** Tried first, before anything is generated. */
  readonly examples: (
    context: Omit<CaseContext, 'create'>,
  ) => readonly { readonly name: string; readonly scenario: S }[];
  readonly arbitrary: (options: { readonly maxLength: number; readonly secrets: readonly string[] }) => fc.Arbitrary<S>;
  /** Rejects with a {@link CaseFailure} when the engine breaks the promise. */
  readonly check: (scenario: S, context: CaseContext) => Promise<void>;
}

/** A broken promise: what, and at which message. */
export class CaseFailure extends Error {
  override readonly name: string = 'CaseFailure';
}

/** Fails a case. */
export function fail(what: string): never {
  throw new CaseFailure(what);
}

/** Fails a case unless the condition holds. */
export function ensure(condition: boolean, what: () => string): asserts condition {
  if (!condition) fail(what());
}

/**
 * The result of an attempt, or `null` when it rejected for a reason that another case is there for.
 * @param invariant fails when core's guard refused the plan for breaking this one
 */
export function resultOf(attempt: Attempt, invariant: number): Attempt['result'] {
  const refused = refusedInvariants(attempt).find((one) => one.invariant === invariant);
  if (refused) fail(`core refused the plan: ${refused.reason}`);
  return attempt.result;
}
