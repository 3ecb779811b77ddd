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
 * Reads a snapshot, or returns why it cannot be used. Returns a promise when an older state has to be migrated.
 * @param initial the planner's state at the start of a session; a stored state must have the same shape
 */
export function restoreSnapshot<S>(
  snapshot: EngineSnapshot,
  identity: EngineIdentity<S>,
  initial: S,
): Restoration<S> | Promise<Restoration<S>> {
  const { name, stateVersion = 1 } = identity;
  const problem = snapshotProblem(snapshot, name, stateVersion, identity.migrate !== undefined);
  if (problem) return { problem };
  const { version } = snapshot;
  const { planner, ...rest } = structuredClone(snapshot.state);
  const withState = (own: S): Restoration<S> =>
    hasShapeOf(initial, own) ? { planner: own, ...rest } : { problem: 'The state of its planner is damaged.' };
  if (version === stateVersion) return withState(planner as S);
  const migrate = async (): Promise<S> => identity.migrate!(planner, version);
  return migrate().then(withState, () => ({ problem: `Its state of version ${version} could not be migrated.` }));
}

/**
 * True when a stored state has the same fields as the initial one, with values of the same kind. A field that is
 * initially `null` may hold anything. This check cannot find all damage, because types are unknown at run time. If the
 * first plan throws, `createEngine` starts again from a clean state.
 */
function hasShapeOf(initial: unknown, stored: unknown): boolean {
  if (initial === null || initial === undefined) return true;
  if (typeof stored !== typeof initial || Array.isArray(stored) !== Array.isArray(initial)) return false;
  if (typeof initial !== 'object' || Array.isArray(initial)) return true;
  if (stored === null) return false;
  return Object.entries(initial).every(
    ([name, value]) =>
      Object.hasOwn(stored as object, name) && hasKindOf(value, (stored as Record<string, unknown>)[name]),
  );
}

function hasKindOf(initial: unknown, stored: unknown): boolean {
  if (initial === null || stored === null) return true;
  return typeof stored === typeof initial && Array.isArray(stored) === Array.isArray(initial);
}
