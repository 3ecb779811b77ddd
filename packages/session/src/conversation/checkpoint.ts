import type { Edit, EngineSnapshot, Message } from '@palimpsest/core';
import { fingerprint, groupMessages } from '@palimpsest/core/authoring';
import type { CheckpointPlan } from './checkpoint-plan.ts';

/** What stands in a projection besides what the engine planned. */
export interface Overlay {
  /** A todo snapshot, and the message of the projection it is merged into; -1: a message of its own behind the system messages. */
  readonly todo: { readonly at: number; readonly text: string } | null;
  /** The system prompt as it was rebuilt; `null`: the caller's. */
  readonly system: string | null;
}

/** A compaction kept: a plan over the first `covers` messages, valid wherever these stand. */
export interface Checkpoint {
  readonly number: number;
  /** The checkpoint it was planned on; `null` for the first. */
  readonly parent: number | null;
  /** How many messages the plan is about. What follows them is appended as it is. */
  readonly covers: number;
  readonly fingerprint: string;
  /** Edits relative to the conversation as it was taken in, never to an earlier output. */
  readonly plan: CheckpointPlan;
  readonly overlay: Overlay;
  /** The engine before it, for `undo`. */
  readonly engineBefore: EngineSnapshot | null;
}

export const noOverlay: Overlay = { todo: null, system: null };

/** How many messages a plan is about: up to the last group it touches, so that what follows may change without harm. */
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

/** True when the messages a checkpoint is about stand at the beginning of a conversation. */
export function matches(checkpoint: Checkpoint, messages: readonly Message[]): boolean {
  return checkpoint.covers <= messages.length && fingerprint(messages, checkpoint.covers) === checkpoint.fingerprint;
}
