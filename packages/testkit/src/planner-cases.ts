import type { EngineHost } from '@palimpsest/core';
import { type EnginePlanner, type Plan, Transcript } from '@palimpsest/core/authoring';
import fc from 'fast-check';
import { CaseFailure, ensure } from './case-definition.ts';
import { deepFrozen } from './deep-frozen.ts';
import { settle } from './host/settle.ts';
import { testHost } from './host/test-host.ts';
import { arbitraryScenario, type Scenario } from './scenario.ts';
import { sketchTranscript } from './transcripts/transcript-sketch.ts';

/** Creates the planner under test on the given host. */
export type CreatePlanner = (host: EngineHost) => EnginePlanner<unknown>;

/** A conformance test for a planner, ready to run under any test runner. */
export interface PlannerCase {
  readonly name: string;
  run(create: CreatePlanner): Promise<void>;
}

interface Planned {
  readonly plan: Plan<unknown>;
  readonly again: Plan<unknown>;
}

const checks: Readonly<Record<string, (planned: Planned) => void>> = {
  'edits survive a JSON round trip': ({ plan }) => {
    const written = JSON.parse(JSON.stringify(plan.edits));
    ensure(sameShape(written, plan.edits), () => 'the edits change in a JSON round trip');
  },
  'state survives a JSON round trip': ({ plan }) => {
    const written = JSON.stringify(plan.state);
    ensure(written !== undefined, () => 'the state cannot be written as JSON');
    ensure(sameShape(JSON.parse(written), plan.state), () => 'the state changes in a JSON round trip');
  },
  'the same transcript, request and state give the same plan': ({ plan, again }) => {
    ensure(
      JSON.stringify(plan.edits) === JSON.stringify(again.edits),
      () => 'two plans for the same input have different edits',
    );
    ensure(
      JSON.stringify(plan.state) === JSON.stringify(again.state),
      () => 'two plans for the same input have different states',
    );
    ensure(plan.outcome === again.outcome, () => 'two plans for the same input have different outcomes');
  },
  // Nothing to check: messages, request, budget and state are frozen, so a mutation throws.
  'planning does not mutate messages or state': () => undefined,
};

/**
 * Creates the conformance tests for a planner alone, without what `createEngine` adds. Messages, budget and state are
 * deeply frozen, so every case also fails if the planner mutates them.
 * @param options.runs generated transcripts per case. @default 40
 */
export function plannerCases(
  options: { readonly runs?: number | undefined; readonly seed?: number | undefined } = {},
): readonly PlannerCase[] {
  return Object.entries(checks).map(([name, check]) => ({
    name,
    async run(create) {
      const property = fc.asyncProperty(arbitraryScenario(), async (scenario) =>
        check(await planTwice(create, scenario)),
      );
      const seed = options.seed === undefined ? {} : { seed: options.seed };
      const details = await fc.check(property, { numRuns: options.runs ?? 40, ...seed });
      if (!details.failed) return;
      const messages = details.counterexample?.[0].messages ?? [];
      const what =
        details.errorInstance instanceof Error ? details.errorInstance.message : String(details.errorInstance);
      throw new CaseFailure(
        `${name}\n  ${what}\n  ${messages.length} messages: ${sketchTranscript(messages)}\n  seed ${details.seed}, path '${details.counterexamplePath}'`,
        { cause: details.errorInstance },
      );
    },
  }));
}

async function planTwice(create: CreatePlanner, scenario: Scenario): Promise<Planned> {
  const plans: Plan<unknown>[] = [];
  const messages = deepFrozen(scenario.messages);
  for (let round = 0; round < 2; round++) {
    const host = testHost({ dialect: scenario.dialect });
    const planner = create(host);
    const transcript = Transcript.of(messages, host.tokens, host);
    const budget = deepFrozen(await planner.budget(scenario.model));
    const state = deepFrozen(planner.initial);
    const planning = planner.plan({ transcript, request: scenario.request, budget, state, strikes: 0 });
    const settled = await settle(planning, host.clock);
    if (settled.kind === 'rejected') throw settled.error;
    ensure(settled.kind === 'fulfilled', () => 'plan neither resolved nor rejected');
    plans.push(settled.value);
  }
  return { plan: plans[0]!, again: plans[1]! };
}

/** Compares two values as JSON would: a field that is `undefined` counts as missing. */
function sameShape(a: unknown, b: unknown): boolean {
  if (typeof a !== 'object' || a === null || typeof b !== 'object' || b === null) return Object.is(a, b);
  if (Array.isArray(a) !== Array.isArray(b) || !isPlain(b)) return false;
  const keys = (value: object): string[] =>
    Object.keys(value).filter((key) => (value as Record<string, unknown>)[key] !== undefined);
  const [left, right] = [keys(a), keys(b)];
  return (
    left.length === right.length &&
    left.every((key) => sameShape((a as Record<string, unknown>)[key], (b as Record<string, unknown>)[key]))
  );
}

/** True for arrays and object literals, false for `Date`, `Map` and other class instances. */
function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  return Array.isArray(value) || prototype === Object.prototype || prototype === null;
}
