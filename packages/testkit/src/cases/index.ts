import type { CaseDefinition } from '../case-definition.ts';
import type { Scenario } from '../scenario.ts';
import { abortRollsBack } from './abort-rolls-back.ts';
import { deterministic } from './deterministic.ts';
import { failureReported } from './failure-reported.ts';
import { freeEffort } from './free-effort.ts';
import { heldPlan } from './held-plan.ts';
import { idempotent } from './idempotent.ts';
import { inputUnchanged } from './input-unchanged.ts';
import { invalidInputRejected } from './invalid-input-rejected.ts';
import { makesRoom } from './makes-room.ts';
import { messageOutcomes } from './message-outcomes.ts';
import { noGrowth } from './no-growth.ts';
import { noNewViolations } from './no-new-violations.ts';
import { noSecrets } from './no-secrets.ts';
import { pendingCallsKept } from './pending-calls-kept.ts';
import { plannedFromSource } from './planned-from-source.ts';
import { returnsResult } from './returns-result.ts';
import { snapshotRestores } from './snapshot-restores.ts';
import { stringContentKept } from './string-content-kept.ts';
import { systemMessagesKept } from './system-messages-kept.ts';
import { taskKept } from './task-kept.ts';

/** Erases the scenario type of a case. Safe because the examples, generator and check of one case share it. */
function erase<S extends Scenario>(definition: CaseDefinition<S>): CaseDefinition {
  return definition as unknown as CaseDefinition;
}

/** Every case, with the ten invariants in order. */
export const caseDefinitions: readonly CaseDefinition[] = [
  returnsResult,
  inputUnchanged,
  noNewViolations,
  taskKept,
  systemMessagesKept,
  pendingCallsKept,
  messageOutcomes,
  idempotent,
  erase(noSecrets),
  erase(failureReported),
  noGrowth,
  freeEffort,
  abortRollsBack,
  heldPlan,
  deterministic,
  snapshotRestores,
  plannedFromSource,
  makesRoom,
  stringContentKept,
  erase(invalidInputRejected),
];
