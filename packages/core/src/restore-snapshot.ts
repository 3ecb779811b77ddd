import type { EngineSnapshot, Settled, TokenState } from './engine.ts';
import type { EngineIdentity } from './engine-identity.ts';
import { snapshotProblem } from './snapshot-check.ts';
import type { TriggerState } from './trigger.ts';

/** What a snapshot brings back. */
export interface Restored<S> {
  readonly planner: S;
  readonly trigger: TriggerState;
  readonly tokens: TokenState;
  readonly settled: Settled | null;
}

/** Takes a snapshot apart, of an older version through the engine's own migration; or says why it cannot be used. */
export function restoreSnapshot<S>(
  snapshot: EngineSnapshot,
  identity: EngineIdentity<S>,
): Restored<S> | { readonly problem: string } {
  const { name, stateVersion = 1 } = identity;
  const problem = snapshotProblem(snapshot, name, stateVersion, identity.migrate !== undefined);
  if (problem) return { problem };
  const { planner, trigger, tokens, settled } = structuredClone(snapshot.state);
  const { version } = snapshot;
  try {
    const own = version === stateVersion ? (planner as S) : identity.migrate!(planner, version);
    return { planner: own, trigger, tokens, settled };
  } catch {
    return { problem: `Its state of version ${version} could not be carried over.` };
  }
}
