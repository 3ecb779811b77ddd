import { apply, type Edit, type Message, type Provenance, type RewriteEdit, type TokenCounter } from '@palimpsest/core';
import { checkMessages, Draft, Transcript } from '@palimpsest/core/authoring';
import { createTokenCounter } from '@palimpsest/tokens';
import { type PrunePolicy, resolvePolicy } from './policy.ts';
import { planSteps, type Steps } from './prune-into.ts';
import type { PruneReport } from './report.ts';

export interface PruneResult<M extends Message> {
  /** The shrunk transcript; the input array itself when nothing was done. Untouched messages are the same objects. */
  readonly messages: readonly M[];
  readonly report: PruneReport;
  readonly provenance: Provenance;
}

/**
 * Shrinks old tool output in a transcript, without a model call.
 * @throws {PalimpsestError} `MESSAGES_INVALID`, `OPTION_INVALID`
 */
export function prune<M extends Message>(messages: readonly M[], policy: PrunePolicy = {}): PruneResult<M> {
  checkMessages(messages);
  const transcript = Transcript.of(
    messages,
    policy.tokens ?? (defaultCounter ??= createTokenCounter()),
    policy.isRequest,
  );
  const { steps, report } = planSteps(new Draft(transcript), resolvePolicy(policy));
  const applied = apply(messages, report.committed ? editsOf(steps, transcript) : [], transcript.groups);
  // Pruning only rewrites: nothing it returns was inserted.
  return {
    messages: applied.messages as readonly M[],
    report,
    provenance: applied.provenance,
  };
}

/**
 * The edits `prune` would make, relative to the transcript; empty when it would make none.
 * @throws {PalimpsestError} `OPTION_INVALID`
 */
export function plan(transcript: Transcript, policy?: PrunePolicy): Edit[] {
  const { steps, report } = planSteps(new Draft(transcript), resolvePolicy(policy));
  return report.committed ? editsOf(steps, transcript) : [];
}

// A counter remembers what it counted by message object, so that a second prune of a grown transcript costs the growth.
let defaultCounter: TokenCounter | undefined;

/** One edit a message, in transcript order. */
function editsOf({ edits, places }: Steps, { length }: Transcript): Edit[] {
  const united: (RewriteEdit | undefined)[] = new Array(length).fill(undefined);
  for (const [index, edit] of edits.entries()) {
    const earlier = united[places[index]!];
    united[places[index]!] = earlier
      ? { ...edit, set: { ...earlier.set, ...edit.set }, reasons: [...earlier.reasons, ...edit.reasons] }
      : edit;
  }
  return united.filter((edit) => edit !== undefined);
}
