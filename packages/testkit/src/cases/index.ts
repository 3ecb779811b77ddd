import type { CaseDefinition } from '../case-definition.ts';
import type { Scenario } from '../scenario.ts';
import { abortRollsBack } from './abort-rolls-back.ts';
import { answers } from './answers.ts';
import { deterministic } from './deterministic.ts';
import { failureIsSaid } from './failure-is-said.ts';
import { freeEffort } from './free-effort.ts';
import { guardsItsDoors } from './guards-its-doors.ts';
import { inFlightKept } from './in-flight-kept.ts';
import { inputUntouched } from './input-untouched.ts';
import { makesRoom } from './makes-room.ts';
import { noGrowth } from './no-growth.ts';
import { noNewViolations } from './no-new-violations.ts';
import { noSecrets } from './no-secrets.ts';
import { oneOutcome } from './one-outcome.ts';
import { requestKept } from './request-kept.ts';
import { settled } from './settled.ts';
import { snapshotRestores } from './snapshot-restores.ts';
import { stringsStay } from './strings-stay.ts';
import { systemIdentical } from './system-identical.ts';

/** A case of any scenario type, with its type forgotten: examples, generator and check of one case fit each other. */
function erase<S extends Scenario>(definition: CaseDefinition<S>): CaseDefinition {
  return definition as unknown as CaseDefinition;
}

/** Every case, the ten invariants in their order. */
export const caseDefinitions: readonly CaseDefinition[] = [
  answers,
  inputUntouched,
  noNewViolations,
  requestKept,
  systemIdentical,
  inFlightKept,
  oneOutcome,
  settled,
  erase(noSecrets),
  erase(failureIsSaid),
  noGrowth,
  freeEffort,
  abortRollsBack,
  deterministic,
  snapshotRestores,
  makesRoom,
  stringsStay,
  erase(guardsItsDoors),
];
