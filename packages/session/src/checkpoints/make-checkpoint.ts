import type { Edit, Message } from '@palimpsest/core';
import { fingerprint } from '@palimpsest/core/authoring';
import type { Checkpoint } from './checkpoint.ts';
import { CheckpointPlan } from './checkpoint-plan.ts';

/** A checkpoint before its plans are stored relative to the messages that it covers. */
export interface CheckpointContent
  extends Pick<Checkpoint, 'number' | 'parent' | 'covers' | 'overlay' | 'engineBefore'> {
  readonly edits: readonly Edit[];
  /** The rewrites of the session that every plan starts from. */
  readonly lasting: readonly Edit[];
}

/** Makes a checkpoint of a conversation. @param source the repaired conversation */
export function makeCheckpoint(
  { edits, lasting, ...rest }: CheckpointContent,
  source: readonly Message[],
  redact: (text: string) => string,
): Checkpoint {
  const covered = source.slice(0, rest.covers);
  return {
    ...rest,
    fingerprint: fingerprint(covered),
    plan: CheckpointPlan.of(edits, covered, redact),
    lasting: lasting.length === 0 ? null : CheckpointPlan.of(lasting, covered, redact),
  };
}
