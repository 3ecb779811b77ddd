import type { Checkpoint } from '../checkpoints/checkpoint.ts';
import { CheckpointPlan } from '../checkpoints/checkpoint-plan.ts';
import type { SessionParts } from '../session-parts.ts';
import { type SealedCheckpoint, type SessionSnapshot, sessionSnapshotProblem } from './session-snapshot.ts';

/** The parts of a session that have state to store. */
export type StoredParts = Pick<
  SessionParts,
  | 'automatic'
  | 'caps'
  | 'chain'
  | 'clock'
  | 'engine'
  | 'events'
  | 'exchanges'
  | 'handoffKey'
  | 'host'
  | 'hygiene'
  | 'id'
  | 'log'
  | 'meter'
  | 'model'
  | 'redact'
>;

/** The state of a session as JSON. */
export function snapshotOf(parts: StoredParts): SessionSnapshot {
  const { chain, clock, engine, handoffKey, hygiene, id, log, redact } = parts;
  const key = handoffKey.stored;
  const exchanges = parts.exchanges.stored(redact);
  return {
    format: 'palimpsest-session',
    version: 1,
    sessionId: id,
    savedAt: clock.now(),
    engine: engine.current?.snapshot() ?? null,
    checkpoints: chain.checkpoints.flatMap((checkpoint) => sealed(checkpoint, redact)),
    records: log.records,
    next: log.next,
    meter: parts.meter.snapshot(),
    limits: parts.model.snapshot(),
    refused: parts.model.refused,
    settled: parts.model.settled,
    outputCaps: parts.caps.snapshot(),
    hygiene: hygiene.state,
    held: parts.automatic.isHeld,
    lastActivity: hygiene.lastActivity,
    ...(exchanges.length === 0 ? {} : { exchanges }),
    ...(key === undefined ? {} : { handoffKey: key }),
  };
}

function sealed(checkpoint: Checkpoint, redact: (text: string) => string): SealedCheckpoint[] {
  const { plan, lasting, overlay, ...rest } = checkpoint;
  if (!plan.sealed || lasting?.sealed === null) return [];
  const { todo, system } = overlay;
  return [
    {
      ...rest,
      plan: plan.sealed,
      ...(lasting ? { lasting: lasting.sealed } : {}),
      overlay: {
        todo: todo && { ...todo, text: redact(todo.text) },
        // A system prompt that contains a secret is not stored. The host has to set it again.
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
export async function restoreInto(parts: StoredParts, value: unknown, signed: boolean): Promise<string | null> {
  const problem = sessionSnapshotProblem(value, parts.id);
  if (problem) return problem;
  const snapshot = value as SessionSnapshot;
  parts.chain.set(
    snapshot.checkpoints.map(({ plan, lasting, overlay, ...rest }) => ({
      ...rest,
      plan: CheckpointPlan.restored(plan, signed, parts.host.reader),
      lasting: lasting ? CheckpointPlan.restored(lasting, signed, parts.host.reader) : null,
      overlay: signed ? overlay : { ...overlay, system: null },
    })),
  );
  parts.log.restore(snapshot.records, snapshot.next);
  parts.meter.restore(snapshot.meter);
  parts.model.restore(snapshot.limits, snapshot.refused, snapshot.settled);
  parts.caps.restore(snapshot.outputCaps);
  parts.hygiene.restore(snapshot.hygiene, snapshot.lastActivity);
  parts.automatic.isHeld = snapshot.held === true;
  parts.handoffKey.restore(snapshot.handoffKey);
  parts.exchanges.restore(snapshot.exchanges);
  parts.model.updateEngine();
  await parts.model.engineUpdated();
  if (snapshot.engine) await parts.engine.current?.restore(snapshot.engine);
  const { savedAt } = snapshot;
  parts.events.publish({ type: 'state-restored', checkpoints: snapshot.checkpoints.length, savedAt });
  return null;
}

/** Clears the conversation. The compaction records and what providers reported about their models stay. */
export function forgetConversation({
  automatic,
  chain,
  exchanges,
  hygiene,
  lastRequest,
  log,
  meter,
  requests,
  stripped,
}: Pick<
  SessionParts,
  'automatic' | 'chain' | 'exchanges' | 'hygiene' | 'lastRequest' | 'log' | 'meter' | 'requests' | 'stripped'
>): void {
  chain.set([]);
  meter.forgetReport();
  hygiene.restore({ failures: 0, until: 0 }, null);
  automatic.clear();
  exchanges.clear();
  lastRequest.forget();
  requests.forget();
  log.forgetCachedShare();
  stripped.clear();
}
