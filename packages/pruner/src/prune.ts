import { agentReader } from '@palimpsest/agents';
import { apply, type Message, type Provenance, type RewriteEdit, type TokenCounter } from '@palimpsest/core';
import { checkMessages, Draft, Transcript } from '@palimpsest/core/authoring';
import { createTokenCounter } from '@palimpsest/tokens';
import { planPrune } from './plan-prune.ts';
import type { PrunePolicy } from './policy/policy.ts';
import { resolvePolicy } from './policy/resolve-policy.ts';
import type { PruneReport } from './report.ts';

/** The result of {@link prune}. */
export interface PruneResult<M extends Message> {
  /** The smaller transcript; the input array itself if nothing was pruned. Unedited messages are the same objects. */
  readonly messages: readonly M[];
  readonly report: PruneReport;
  readonly provenance: Provenance;
}

/**
 * Shrinks old tool output in a transcript. Calls no model.
 * @throws {PalimpsestError} `MESSAGES_INVALID`, `OPTION_INVALID`
 */
export function prune<M extends Message>(messages: readonly M[], policy: PrunePolicy = {}): PruneResult<M> {
  checkMessages(messages);
  const resolved = resolvePolicy('prune', policy);
  const counter = policy.tokens ?? (defaultCounter ??= createTokenCounter());
  const transcript = Transcript.of(messages, counter, {
    reader: policy.reader ?? agentReader,
    isFromPerson: policy.isFromPerson,
  });
  const { edits, report } = planPrune(new Draft(transcript), resolved);
  const applied = apply(messages, report.committed ? oneEditPerMessage(edits) : [], transcript.groups);
  return {
    // Pruning only rewrites, so all messages come from the input.
    messages: applied.messages as readonly M[],
    report,
    provenance: applied.provenance,
  };
}

/**
 * Returns the edits that `prune` would make, relative to the transcript; none if it would not commit any.
 * @throws {PalimpsestError} `OPTION_INVALID`
 */
export function plan(transcript: Transcript, policy?: PrunePolicy): RewriteEdit[] {
  const { edits, report } = planPrune(new Draft(transcript), resolvePolicy('plan', policy));
  return report.committed ? oneEditPerMessage(edits) : [];
}

/**
 * Prunes a draft that an engine's phases share. Skips messages that the draft has replaced. Changes the draft only if
 * the prune is committed.
 * @throws {PalimpsestError} `OPTION_INVALID`
 */
export function pruneInto(draft: Draft, policy?: PrunePolicy): PruneReport {
  const { edits, report } = planPrune(draft, resolvePolicy('pruneInto', policy));
  if (report.committed) for (const { at, set, reasons } of edits) draft.rewrite(at, set, reasons[0]!);
  return report;
}

// Shared by all calls. The counter memoizes by message object, so pruning a grown transcript counts only new messages.
let defaultCounter: TokenCounter | undefined;

/** Merges the edits of each message into one and sorts them by message. */
function oneEditPerMessage(edits: readonly RewriteEdit[]): RewriteEdit[] {
  const joined = new Map<number, RewriteEdit>();
  for (const edit of edits) {
    const earlier = joined.get(edit.at);
    joined.set(
      edit.at,
      earlier
        ? { ...edit, set: { ...earlier.set, ...edit.set }, reasons: [...earlier.reasons, ...edit.reasons] }
        : edit,
    );
  }
  return [...joined.values()].sort((a, b) => a.at - b.at);
}
