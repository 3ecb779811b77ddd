import {
  apply,
  checkMessages,
  Draft,
  type Edit,
  type Inserted,
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
  const applied = apply(messages, report.committed ? editsOf(steps) : [], transcript.groups);
  // Pruning only rewrites: nothing it returns was inserted.
  return {
    messages: applied.messages as readonly Exclude<M | Inserted, never>[] as readonly M[],
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
  return report.committed ? editsOf(steps) : [];
}

// A counter remembers what it counted by message object, so that a second prune of a grown transcript costs the growth.
let defaultCounter: TokenCounter | undefined;

function editsOf(steps: readonly Step[]): Edit[] {
  const edits = new Map<number, RewriteEdit>();
  for (const { at, set, strategy, note } of steps) {
    const earlier = edits.get(at);
    const reasons = [...(earlier?.reasons ?? []), { code: strategy, note }];
    edits.set(at, { kind: 'rewrite', at, set: earlier ? { ...earlier.set, ...set } : set, reasons });
  }
  return [...edits.values()].sort((a, b) => a.at - b.at);
}
