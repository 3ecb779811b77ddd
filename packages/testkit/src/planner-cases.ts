import type { EngineHost } from '@palimpsest/core';
import { type EnginePlanner, type Plan, Transcript } from '@palimpsest/core/authoring';
import fc from 'fast-check';
import { CaseFailure, ensure } from './case-definition.ts';
import { arbitraryScenario, type Scenario } from './scenario.ts';
import { settle } from './settle.ts';
import { testHost } from './test-host.ts';
import { sketchTranscript } from './transcript-sketch.ts';

/** Makes the planner under test on a host of the test's. */
export type CreatePlanner = (host: EngineHost) => EnginePlanner<unknown>;

/** One law every planner keeps, ready to run under any test runner. */
export interface PlannerCase {
  readonly name: string;
  run(create: CreatePlanner): Promise<void>;
}

interface Planned {
  readonly plan: Plan<unknown>;
  readonly again: Plan<unknown>;
}

const laws: Readonly<Record<string, (planned: Planned) => void>> = {
  'a plan is JSON: its edits read back from text are the same': ({ plan }) => {
    const written = JSON.parse(JSON.stringify(plan.edits));
    ensure(sameShape(written, plan.edits), () => 'the edits lose something on their way through JSON');
  },
  'the state of a plan is JSON': ({ plan }) => {
    const written = JSON.stringify(plan.state);
    ensure(written !== undefined, () => 'the state is nothing JSON can write');
    ensure(sameShape(JSON.parse(written), plan.state), () => 'the state loses something on its way through JSON');
  },
  'the same transcript, request and state give the same plan': ({ plan, again }) => {
    ensure(JSON.stringify(plan.edits) === JSON.stringify(again.edits), () => 'planned twice, the edits differ');
    ensure(JSON.stringify(plan.state) === JSON.stringify(again.state), () => 'planned twice, the states differ');
    ensure(plan.outcome === again.outcome, () => 'planned twice, the outcomes differ');
  },
  'planning changes neither messages nor state': () => undefined,
};

/**
 * The laws of the function an engine author writes, apart from what `createEngine` adds. Transcript, request and state
 * are deeply frozen, so that every law also fails when a planner changes them.
 * @param options.runs generated transcripts per case. @default 40
 */
export function plannerCases(
  options: { readonly runs?: number | undefined; readonly seed?: number | undefined } = {},
): readonly PlannerCase[] {
  return Object.entries(laws).map(([name, law]) => ({
    name,
    async run(create) {
      const property = fc.asyncProperty(arbitraryScenario(), async (scenario) =>
        law(await planTwice(create, scenario)),
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
    ensure(settled.kind === 'fulfilled', () => 'plan neither resolves nor rejects');
    plans.push(settled.value);
  }
  return { plan: plans[0]!, again: plans[1]! };
}

function deepFrozen<T>(value: T): T {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return value;
  Object.freeze(value);
  for (const item of Object.values(value)) deepFrozen(item);
  return value;
}

/** Equal as JSON sees them, where a field that is `undefined` is no field. */
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

/** An array or an object literal, no `Date`, `Map` or instance of a class. */
function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  return Array.isArray(value) || prototype === Object.prototype || prototype === null;
}
