import { isRecord } from '../json/is-record.ts';
import type { EngineSnapshot, Settled, TokenState } from './engine.ts';
import type { EngineIdentity } from './engine-identity.ts';
import { snapshotProblem } from './snapshot-check.ts';
import type { TriggerState } from './trigger.ts';

/** The state restored from a snapshot. */
export interface Restored<S> {
  readonly planner: S;
  readonly trigger: TriggerState;
  readonly tokens: TokenState;
  readonly settled: Settled | null;
}

/** The result of reading a snapshot. */
export type Restoration<S> = Restored<S> | { readonly problem: string };

/**
 * Reads a snapshot, or returns why it cannot be used.
 * @param initial the planner's state at the start of a session; a stored state must have the same shape
 */
export function restoreSnapshot<S>(snapshot: EngineSnapshot, identity: EngineIdentity, initial: S): Restoration<S> {
  const { name, stateVersion = 1 } = identity;
  const problem = snapshotProblem(snapshot, name, stateVersion);
  if (problem) return { problem };
  const { planner, ...rest } = structuredClone(snapshot.state);
  return hasShapeOf(initial, planner)
    ? { planner: planner as S, ...rest }
    : { problem: 'The state of its planner is damaged.' };
}

/**
 * True when a stored state has the same fields as the initial one, with values of the same kind. A field that is
 * initially `null` may hold anything.
 */
function hasShapeOf(initial: unknown, stored: unknown): boolean {
  if (initial === null || initial === undefined) return true;
  if (!isRecord(initial)) return typeof stored === typeof initial && Array.isArray(stored) === Array.isArray(initial);
  if (!isRecord(stored)) return false;
  return Object.entries(initial).every(
    ([name, value]) => Object.hasOwn(stored, name) && hasKindOf(value, stored[name]),
  );
}

function hasKindOf(initial: unknown, stored: unknown): boolean {
  if (initial === null || stored === null) return true;
  return typeof stored === typeof initial && Array.isArray(stored) === Array.isArray(initial);
}
