import type { Checkpoint } from '../conversation/checkpoint.ts';
import { CheckpointPlan } from '../conversation/checkpoint-plan.ts';
import type { SessionCore } from '../session-core.ts';
import { type SealedCheckpoint, type SessionSnapshot, sessionSnapshotProblem } from './session-snapshot.ts';

/** The state of a session as JSON. */
export function snapshotOf(core: SessionCore): SessionSnapshot {
  return {
    format: 'palimpsest-session',
    version: 1,
    sessionId: core.id,
    savedAt: core.clock.now(),
    engine: core.engine?.snapshot() ?? null,
    checkpoints: core.chain.checkpoints.flatMap((checkpoint) => sealed(checkpoint, core.redact)),
    records: core.records,
    next: core.next,
    meter: core.meter.snapshot(),
    limits: Object.fromEntries(core.limits),
    outputCaps: Object.fromEntries(core.outputCaps),
    hygiene: core.hygiene,
    held: core.held,
    lastActivity: core.lastActivity,
    // A handoff key derived from the host's key is not stored next to the data that key protects.
    ...(core.given.key === undefined ? { handoffKey: core.handoffKey } : {}),
  };
}

function sealed(checkpoint: Checkpoint, redact: (text: string) => string): SealedCheckpoint[] {
  const { plan, overlay, ...rest } = checkpoint;
  if (!plan.sealed) return [];
  const { todo, system } = overlay;
  return [
    {
      ...rest,
      plan: plan.sealed,
      overlay: {
        todo: todo && { ...todo, text: redact(todo.text) },
        // A system prompt with a secret in it is the host's to bring again.
        system: system !== null && redact(system) === system ? system : null,
      },
    },
  ];
}

/**
 * Restores a stored state. If it cannot be used, the session starts clean.
 * @param signed true when the state is signed with the host's key; otherwise a stored system prompt is ignored, because
 *   anyone with write access to the store could have changed it
 * @returns why the state was not used, or `null`
 */
export function restoreInto(core: SessionCore, value: unknown, signed: boolean): string | null {
  const problem = sessionSnapshotProblem(value, core.id);
  if (problem) return problem;
  const snapshot = value as SessionSnapshot;
  core.chain.set(
    snapshot.checkpoints.map(({ plan, overlay, ...rest }) => ({
      ...rest,
      plan: CheckpointPlan.restored(plan, signed),
      overlay: signed ? overlay : { ...overlay, system: null },
    })),
  );
  core.records = snapshot.records;
  core.next = snapshot.records.reduce((next, { number }) => Math.max(next, number + 1), Math.max(snapshot.next, 1));
  core.meter.restore(snapshot.meter);
  core.limits.clear();
  core.outputCaps.clear();
  for (const [model, limit] of Object.entries(snapshot.limits)) core.limits.set(model, limit);
  for (const [model, cap] of Object.entries(snapshot.outputCaps)) core.outputCaps.set(model, cap);
  core.hygiene = snapshot.hygiene;
  core.held = snapshot.held === true;
  core.lastActivity = snapshot.lastActivity;
  if (core.given.key === undefined) core.handoffKey = snapshot.handoffKey ?? core.handoffKey;
  core.applyModel();
  if (snapshot.engine) core.engine?.restore(snapshot.engine);
  core.publish({ type: 'state-restored', checkpoints: snapshot.checkpoints.length, savedAt: snapshot.savedAt });
  return null;
}

/** Everything forgotten but who the session is and what providers said of their models. */
export function forgetConversation(core: SessionCore): void {
  core.chain.set([]);
  core.meter.forgetReport();
  core.hygiene = { failures: 0, until: 0 };
  core.held = false;
  core.lastActivity = null;
  core.lastWork = null;
  core.lastSent = null;
  core.lastCachedShare = null;
  core.pendingRefusal = null;
  core.stripped.clear();
}
