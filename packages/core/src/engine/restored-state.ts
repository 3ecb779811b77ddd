import type { EngineHost } from '../host/host.ts';
import { apply } from '../plans/apply.ts';
import { basisOf, checkPlanHolds } from './plan-holds.ts';
import type { EnginePlanner, Plan, PlanInput } from './planner.ts';

/**
 * A state restored from a snapshot is unproven until a plan made with it is applied. Its types are unknown at run time,
 * so the planner may fail on it.
 */

/** True when the planner's `status` and `decide` work on a restored state. Hosts may call them at any time. */
export function isAnswerable<S>(planner: EnginePlanner<S>, restored: S): boolean {
  try {
    planner.status?.(restored);
    planner.decide?.({ promptTokens: 0, thresholdTokens: 1, contextLength: 1 }, restored);
    return true;
  } catch {
    return false;
  }
}

/**
 * Plans with an unproven state. If the planner throws, or its plan breaks the contract, plans again with `initial`.
 * @param reject called when the restored state is discarded
 */
export async function planOnUnprovenState<S>(
  { name, planner, host }: { readonly name: string; readonly planner: EnginePlanner<S>; readonly host: EngineHost },
  input: PlanInput<S>,
  initial: S,
  reject: () => void,
): Promise<Plan<S>> {
  const { request } = input;
  try {
    const plan = await planner.plan(input);
    if (plan.outcome !== 'aborted') {
      const basis = basisOf(plan, input);
      checkPlanHolds(name, basis, apply(basis.messages, plan.edits, basis.groups), plan, host);
    }
    return plan;
  } catch (error) {
    if (request.signal?.aborted) throw error;
    reject();
    return planner.plan({ ...input, state: initial });
  }
}
