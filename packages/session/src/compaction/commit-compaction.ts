import { contentText, isSystem, type Message } from '@palimpsest/core';
import { fingerprint, groupMessages } from '@palimpsest/core/authoring';
import type { CompactionRecord } from '../compaction-record.ts';
import { type Checkpoint, noOverlay, type Overlay } from '../conversation/checkpoint.ts';
import { CheckpointPlan } from '../conversation/checkpoint-plan.ts';
import type { Projection } from '../conversation/projection.ts';
import type { SessionCore, View, Work } from '../session-core.ts';
import { answerAfter } from './hooks.ts';
import { isCounted, type Planned } from './plan-compaction.ts';
import { removedResults } from './removed-results.ts';

/** Puts a plan into effect: a checkpoint, its record, and what the host adds. */
export async function commitCompaction(core: SessionCore, work: Work, planned: Planned): Promise<Checkpoint> {
  const { number, base, edits, covered, wish, result, before } = planned;
  const source = work.intake.messages;
  const overlay: Overlay = { ...noOverlay, system: base?.overlay.system ?? null };
  const plan = CheckpointPlan.of(edits ?? [], covered, core.redact);
  if (plan.sealed === null)
    core.publish({
      type: 'state-incomplete',
      reason:
        'A compaction is not stored, because its plan holds what looks like a secret; after a restart it is made anew.',
    });
  const first: Checkpoint = {
    number,
    parent: base?.number ?? core.records.at(-1)?.number ?? null,
    covers: covered.length,
    fingerprint: planned.fingerprint,
    plan,
    overlay,
    engineBefore: planned.engineBefore,
  };
  core.chain.add(first);
  const outer = core.compaction;
  core.compaction = number;
  try {
    const bare = core.view(work);
    const record = recordOf(core, planned, first, before, bare);
    core.addRecord(record);
    const removed = removedResults(before.projection.messages, result.provenance);
    const ours = ownSystem(work, source);
    const answer = await answerAfter(core, record, bare.assembled.messages, removed, overlay.system ?? ours);
    const laid = laidOver(first, bare.projection, source, {
      todo: answer.todo ?? null,
      system: answer.system === undefined ? overlay.system : answer.system === ours ? null : (answer.system ?? null),
    });
    const checkpoint =
      laid.covers === first.covers
        ? laid
        : { ...laid, plan: CheckpointPlan.of(edits ?? [], source.slice(0, laid.covers), core.redact) };
    if (checkpoint !== first) {
      core.chain.remove(first);
      core.chain.add(checkpoint);
      core.replaceRecord(number, { tokensAfter: core.view(work).size.tokens });
    }
    if (isCounted(wish, result)) core.turns.succeeded(core.clock.now());
    core.publish({
      type: 'checkpoint-commit',
      checkpoint: number,
      parent: first.parent,
      trigger: wish.trigger,
      outcome: result.outcome,
      tokensBefore: record.tokensBefore,
      tokensAfter: record.tokensAfter,
      modelCalls: record.modelCalls,
      durationMs: record.durationMs,
    });
    return checkpoint;
  } finally {
    core.compaction = outer;
  }
}

function recordOf(
  core: SessionCore,
  planned: Planned,
  { number, parent }: Checkpoint,
  before: View,
  after: View,
): CompactionRecord {
  const { wish, result, durationMs } = planned;
  return {
    number,
    parent,
    at: core.clock.now(),
    trigger: wish.trigger,
    outcome: result.outcome,
    tokensBefore: before.size.tokens,
    tokensAfter: after.size.tokens,
    messagesBefore: before.assembled.messages.length,
    messagesAfter: after.assembled.messages.length,
    modelCalls: result.report.modelCalls,
    durationMs,
    cachedShareBefore: core.lastCachedShare,
    cachedShareAfter: null,
    undone: false,
  };
}

/** The checkpoint with what the host adds, covering the message a snapshot is merged into. */
function laidOver(
  checkpoint: Checkpoint,
  { messages, provenance }: Projection,
  source: readonly Message[],
  added: { readonly todo: string | null; readonly system: string | null },
): Checkpoint {
  const { overlay } = checkpoint;
  if (added.todo === null)
    return added.system === overlay.system
      ? checkpoint
      : { ...checkpoint, overlay: { todo: null, system: added.system } };
  const at = messages.findLastIndex(({ role }) => role === 'user');
  const origin = provenance.output[at];
  const last = origin === undefined || origin.kind === 'inserted' ? -1 : origin.from;
  const group = groupMessages(source).find(({ from, to }) => from <= last && last < to);
  const covers = Math.max(checkpoint.covers, group?.to ?? 0);
  return {
    ...checkpoint,
    covers,
    fingerprint: covers === checkpoint.covers ? checkpoint.fingerprint : fingerprint(source, covers),
    overlay: { todo: { at, text: added.todo }, system: added.system },
  };
}

/** The caller's own system prompt as text; `null` when there is none. */
function ownSystem({ system }: Work, source: readonly Message[]): string | null {
  if (typeof system === 'string') return system;
  if (Array.isArray(system)) return contentText(system);
  const [first] = source;
  return first && isSystem(first) ? contentText(first.content) : null;
}
