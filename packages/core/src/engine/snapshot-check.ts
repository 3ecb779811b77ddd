import { isRecord } from '../json/is-record.ts';
import { isJsonValue } from '../json/json-value.ts';
import type { EngineSnapshot } from './engine.ts';
import { initialTrigger } from './trigger.ts';

/** Explains why a snapshot cannot be used, or returns `null`. Snapshots come from files and databases, so they are fully validated. */
export function snapshotProblem(snapshot: unknown, engine: string, version: number): string | null {
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
    [tokens.lastPromptTokens, tokens.lastCompletionTokens, tokens.lastTotalTokens, tokens.compactionCount].every(
      isCount,
    ) &&
    (tokens.compactedTokens === null || isCount(tokens.compactedTokens)) &&
    (settled === null || (isRecord(settled) && isCount(settled.length) && typeof settled.fingerprint === 'string'))
  );
}

function isCount(value: unknown): boolean {
  return typeof value === 'number' && value >= 0;
}
