import {
  apply,
  checkMessages,
  Draft,
  type Edit,
  type Message,
  type Provenance,
  type RewriteEdit,
  type TokenCounter,
  Transcript,
} from '@palimpsest/core';
import { createTokenCounter } from '@palimpsest/tokens';
import { type PrunePolicy, resolvePolicy } from './policy.ts';
import { planSteps, type Step } from './prune-into.ts';
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

/** The steps as one edit a message, in transcript order. */
function editsOf(steps: readonly Step[], { length }: Transcript): Edit[] {
  const edits: (RewriteEdit | undefined)[] = new Array(length).fill(undefined);
  for (const { strategy, taken } of steps)
    for (const proposal of taken) {
      const { at } = proposal;
      const edit = proposal.edit(strategy);
      const earlier = edits[at];
      edits[at] = earlier
        ? { ...edit, set: { ...earlier.set, ...edit.set }, reasons: [...earlier.reasons, ...edit.reasons] }
        : edit;
    }
  return edits.filter((edit) => edit !== undefined);
}
