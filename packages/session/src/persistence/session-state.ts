import type { Checkpoint } from '../checkpoints/checkpoint.ts';
import { CheckpointPlan } from '../checkpoints/checkpoint-plan.ts';
import { errorReason } from '../events/error-reason.ts';
import type { SessionParts } from '../parts/session-parts.ts';
import { type SealedCheckpoint, type SessionSnapshot, sessionSnapshotProblem } from './session-snapshot.ts';

/** The state of a session as JSON. */
export function snapshotOf(parts: SessionParts): SessionSnapshot {
  const { clock, engine, handoffKey, id, redact } = parts;
  const { chain, hygiene, log } = parts.compactions;
  const key = handoffKey.stored;
  const { requests, rounds: known } = parts.conversation;
  const rounds = known.toStored();
  return {
    format: 'palimpsest-session',
    version: 1,
    sessionId: id,
    savedAt: clock.now(),
    engine: engine.current?.snapshot() ?? null,
    checkpoints: chain.checkpoints.flatMap((checkpoint) => sealCheckpoint(checkpoint, redact)),
    records: log.records,
    next: log.next,
    ...parts.provider.snapshot(),
    hygiene: hygiene.state,
    held: parts.compactions.automatic.isHeld,
    lastActivity: hygiene.lastActivity,
    forgotten: parts.compactions.forgotten,
    conversation: requests.snapshot(),
    offered: known.tools.snapshot(),
    ...(rounds.length === 0 ? {} : { rounds }),
    ...(key === undefined ? {} : { handoffKey: key }),
  };
}

function sealCheckpoint(checkpoint: Checkpoint, redact: (text: string) => string): SealedCheckpoint[] {
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
export async function restoreInto(parts: SessionParts, value: unknown, signed: boolean): Promise<string | null> {
  const problem = sessionSnapshotProblem(value, parts.id);
  if (problem) return problem;
  const snapshot = value as SessionSnapshot;
  const { engine, provider } = parts;
  provider.restore(snapshot);
  provider.model.updateEngine();
  // Every request waits for this again, and reports a failure.
  await provider.model.engineUpdated().catch(() => undefined);
  try {
    if (snapshot.engine) await engine.current?.restore(snapshot.engine);
  } catch (error) {
    return `The engine cannot continue with it. ${errorReason(error)}`;
  }
  const { chain } = parts.compactions;
  const known = chain.checkpoints;
  chain.set(
    snapshot.checkpoints.map(
      (sealed) => known.find((checkpoint) => isSame(checkpoint, sealed)) ?? openCheckpoint(parts, sealed, signed),
    ),
  );
  parts.compactions.log.restore(snapshot.records, snapshot.next);
  parts.compactions.hygiene.restore(snapshot.hygiene, snapshot.lastActivity);
  parts.compactions.automatic.isHeld = snapshot.held === true;
  parts.handoffKey.restore(snapshot.handoffKey);
  parts.compactions.forgotten = snapshot.forgotten;
  parts.conversation.rounds.restore(snapshot.rounds);
  parts.conversation.rounds.tools.restore(snapshot.offered);
  parts.conversation.requests.restore(snapshot.conversation);
  return null;
}

/** True for a checkpoint that is in memory already, with its plan as messages. */
function isSame({ number, fingerprint, plan }: Checkpoint, sealed: SealedCheckpoint): boolean {
  return (
    number === sealed.number && fingerprint === sealed.fingerprint && plan.sealed?.checksum === sealed.plan.checksum
  );
}

function openCheckpoint(
  { host }: SessionParts,
  { plan, lasting, overlay, ...rest }: SealedCheckpoint,
  signed: boolean,
): Checkpoint {
  return {
    ...rest,
    plan: CheckpointPlan.restore(plan, signed, host.reader),
    lasting: lasting ? CheckpointPlan.restore(lasting, signed, host.reader) : null,
    overlay: signed ? overlay : { ...overlay, system: null },
  };
}

/** Restores a stored state, and reports whether it could be used. */
export async function restoreReported(parts: SessionParts, value: unknown, signed: boolean): Promise<void> {
  const { events } = parts;
  const problem = await restoreInto(parts, value, signed);
  if (problem) events.publish({ type: 'state-discarded', reason: problem });
  else {
    const { checkpoints, savedAt } = value as SessionSnapshot;
    events.publish({ type: 'state-restored', checkpoints: checkpoints.length, savedAt });
  }
}

/** Clears a conversation whose state was deleted, with its records. What providers reported about their models stays. */
export function beginAnew(parts: SessionParts): void {
  forgetConversation(parts);
  parts.compactions.log.clear();
  // A page that is being written continues the old one.
  parts.pages?.cancel();
  parts.engine.current?.onSessionReset();
}

/**
 * Drops a state that was deleted from the store, so that it is not stored again.
 * @param theirs what another process has stored since; `null` for nothing
 */
export async function replaceDeleted(
  parts: SessionParts,
  theirs: SessionSnapshot | null,
  signed: boolean,
): Promise<void> {
  const reason = 'The state was deleted from the store, or it expired. The conversation begins anew.';
  parts.events.publish({ type: 'state-discarded', reason });
  beginAnew(parts);
  if (theirs) await restoreInto(parts, theirs, signed);
}

/** Clears the conversation. The compaction records and what providers reported about their models stay. */
export function forgetConversation({ compactions, conversation, provider }: SessionParts): void {
  compactions.forget();
  conversation.forget();
  provider.forget();
}
