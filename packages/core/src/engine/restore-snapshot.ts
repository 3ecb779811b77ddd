import { isRecord } from '../json/is-record.ts';
import { isJsonValue } from '../json/json-value.ts';
import type { EngineIdentity, EngineSnapshot, Settled, TokenState } from './engine.ts';
import { initialTrigger, type TriggerState } from './trigger.ts';

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

/** Explains why a snapshot cannot be used, or returns `null`. Snapshots come from files and databases, so they are fully validated. */
function snapshotProblem(snapshot: unknown, engine: string, version: number): string | null {
  if (!isRecord(snapshot) || typeof snapshot.engine !== 'string' || !isRecord(snapshot.state))
    return 'It is not an engine snapshot.';
  if (snapshot.engine !== engine) return `It belongs to the engine "${snapshot.engine}".`;
  if (snapshot.version !== version)
    return `Its state has version ${String(snapshot.version)}, this engine uses version ${version}.`;
  if (!isComplete(snapshot as unknown as EngineSnapshot) || !isJsonValue(snapshot.state))
    return 'Parts of it are missing or damaged.';
  return null;
}

function isComplete({ state }: EngineSnapshot): boolean {
  const { trigger, tokens, settled } = state;
  if (!('planner' in state) || !isRecord(trigger) || !isRecord(tokens)) return false;
  const { cooldown } = trigger;
  return (
    Object.keys(initialTrigger).every((field) => field in trigger) &&
    isCount(trigger.strikes) &&
    isCount(trigger.failures) &&
    (trigger.blockedAt === null || isCount(trigger.blockedAt)) &&
    [trigger.lastFailure, trigger.auxiliaryFailure].every((failure) => failure === null || isRecord(failure)) &&
    (cooldown === null || (isRecord(cooldown) && isCount(cooldown.until) && isRecord(cooldown.failure))) &&
    [tokens.lastPromptTokens, tokens.lastCompletionTokens, tokens.compactionCount].every(isCount) &&
    (tokens.compactedTokens === null || isCount(tokens.compactedTokens)) &&
    (settled === null || (isRecord(settled) && isCount(settled.length) && typeof settled.fingerprint === 'string'))
  );
}

function isCount(value: unknown): boolean {
  return typeof value === 'number' && value >= 0;
}
