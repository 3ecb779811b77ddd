import type { Edit, EngineSnapshot, Message } from '@palimpsest/core';
import { fingerprint, groupMessages } from '@palimpsest/core/authoring';
import type { CheckpointPlan } from './checkpoint-plan.ts';

/** What the host's hooks add to a projection. */
export interface Overlay {
  /** A todo snapshot and the index of the projected message it is merged into; -1 for a separate message after the system messages. */
  readonly todo: { readonly at: number; readonly text: string } | null;
  /** The rebuilt system prompt; `null` for the caller's own. */
  readonly system: string | null;
}

/** A stored compaction: a plan over the first `covers` messages. It applies to every conversation that begins with them. */
export interface Checkpoint {
  readonly number: number;
  /** Number of the checkpoint it builds on; `null` for the first. */
  readonly parent: number | null;
  /** Number of messages the plan covers. Later messages are appended unchanged. */
  readonly covers: number;
  readonly fingerprint: string;
  /** Edits relative to the repaired conversation, never to an earlier output. */
  readonly plan: CheckpointPlan;
  /**
   * Rewrites by the session, such as the removal of pictures that a provider refused, relative to the repaired
   * conversation. Every later compaction starts from them, so that removed content never comes back. `null` for none.
   */
  readonly lasting: CheckpointPlan | null;
  readonly overlay: Overlay;
  /** The engine's state before the compaction, for `undo`. */
  readonly engineBefore: EngineSnapshot | null;
}

export const noOverlay: Overlay = { todo: null, system: null };

/** Number of messages a plan covers: up to the end of the last group it edits. Messages after that may change freely. */
export function coverage(messages: readonly Message[], edits: readonly Edit[]): number {
  const groups = groupMessages(messages);
  let covers = 0;
  let group = 0;
  for (const edit of edits) {
    if (edit.kind === 'replace') {
      const [from, to] = edit.groups;
      const end = to > from ? groups[to - 1]!.to : (groups[from]?.from ?? messages.length);
      covers = Math.max(covers, end);
      continue;
    }
    if (groups[group] && groups[group]!.from > edit.at) group = 0;
    while (groups[group] && groups[group]!.to <= edit.at) group++;
    covers = Math.max(covers, groups[group]?.to ?? messages.length);
  }
  return covers;
}

/** True when a conversation begins with the messages a checkpoint covers. */
export function matches(checkpoint: Checkpoint, messages: readonly Message[]): boolean {
  return checkpoint.covers <= messages.length && fingerprint(messages, checkpoint.covers) === checkpoint.fingerprint;
}
