import { contentText, isSystem, type Message } from '@palimpsest/core';
import { fingerprint, groupMessages } from '@palimpsest/core/authoring';
import { type Checkpoint, noOverlay, type Overlay } from '../checkpoints/checkpoint.ts';
import type { Projection } from '../checkpoints/checkpoint-chain.ts';
import { CheckpointPlan } from '../checkpoints/checkpoint-plan.ts';
import type { RequestInput } from '../conversation/request-input.ts';
import { answerAfter } from '../hooks/compaction-hooks.ts';
import type { AfterCompressAnswer } from '../options/session-hooks.ts';
import type { SessionParts } from '../parts/session-parts.ts';
import { lastingPlan, lastingRewrites } from './lasting-rewrites.ts';
import { countsTowardLimit, type PlannedCompaction } from './plan-compaction.ts';
import { recordCompaction } from './record-compaction.ts';
import { removedResults } from './removed-results.ts';

/** Puts a planned compaction into effect: adds its checkpoint, its record and the additions of the host's hook. */
export async function commitCompaction(
  parts: SessionParts,
  input: RequestInput,
  planned: PlannedCompaction,
): Promise<Checkpoint> {
  const { events, redact } = parts;
  const { chain, log } = parts.compactions;
  const { number, base, edits, covered, engineBefore } = planned;
  const plan = CheckpointPlan.of(edits ?? [], covered, redact);
  if (plan.sealed === null)
    events.publish({
      type: 'state-incomplete',
      reason:
        'A compaction is not stored, because its plan contains what looks like a secret. It is repeated after a restart.',
    });
  const checkpoint: Checkpoint = {
    number,
    parent: base?.number ?? log.last,
    covers: covered.length,
    fingerprint: planned.fingerprint,
    plan,
    lasting: lastingPlan(lastingRewrites(base, input.intake.messages), covered, redact),
    overlay: { ...noOverlay, system: base?.overlay.system ?? null },
    engineBefore,
  };
  chain.add(checkpoint);
  return events.duringCompaction(number, () => completeCommit(parts, input, planned, checkpoint));
}

/** Records the compaction, calls the hook `afterCompress`, and publishes `checkpoint-commit`. */
async function completeCommit(
  parts: SessionParts,
  input: RequestInput,
  planned: PlannedCompaction,
  first: Checkpoint,
): Promise<Checkpoint> {
  const { clock, events, hooks, id, redact, viewer } = parts;
  const { chain, log, turns } = parts.compactions;
  const { number, request, result, before } = planned;
  const { trigger } = request;
  const { outcome } = result;
  const source = input.intake.messages;
  const bare = viewer.view(input);
  const { modelCalls } = result.report;
  const { durationMs } = planned;
  const facts = { at: clock.now(), trigger, outcome, modelCalls, durationMs };
  const record = recordCompaction(parts, first, facts, before, bare);
  const ours = ownSystem(input, source);
  const answer = await answerAfter(hooks, {
    sessionId: id,
    record,
    messages: bare.assembled.messages,
    removedResults: removedResults(source, before.projection, result),
    system: first.overlay.system ?? ours,
  });
  const overlaid = withOverlay(first, bare.projection, source, overlayOf(answer, first.overlay, ours));
  const checkpoint =
    overlaid.covers === first.covers ? overlaid : resealed(overlaid, planned, source.slice(0, overlaid.covers), redact);
  if (checkpoint !== first) {
    chain.remove(first);
    chain.add(checkpoint);
    log.change(number, { tokensAfter: viewer.view(input).size.tokens });
  }
  if (countsTowardLimit(request, result)) turns.succeeded(clock.now());
  const { parent, tokensBefore, tokensAfter } = record;
  events.publish({
    type: 'checkpoint-commit',
    checkpoint: number,
    parent,
    trigger,
    outcome,
    tokensBefore,
    tokensAfter,
    modelCalls,
    durationMs,
  });
  return checkpoint;
}

/** The checkpoint with its plan stored relative to the messages that it covers now. */
function resealed(
  checkpoint: Checkpoint,
  { edits, base }: PlannedCompaction,
  covered: readonly Message[],
  redact: (text: string) => string,
): Checkpoint {
  const lasting = lastingPlan(lastingRewrites(base, covered), covered, redact);
  return { ...checkpoint, plan: CheckpointPlan.of(edits ?? [], covered, redact), lasting };
}

interface AddedOverlay {
  readonly todo: string | null;
  readonly system: string | null;
}

function overlayOf({ todo, system }: AfterCompressAnswer, before: Overlay, ours: string | null): AddedOverlay {
  if (system === undefined) return { todo: todo ?? null, system: before.system };
  return { todo: todo ?? null, system: system === ours ? null : (system ?? null) };
}

/** The checkpoint with what the host added. It then also covers the message that a todo snapshot is merged into. */
function withOverlay(
  checkpoint: Checkpoint,
  { messages, provenance }: Projection,
  source: readonly Message[],
  added: AddedOverlay,
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

/** The caller's own system prompt as text, or `null`. */
function ownSystem({ system }: Pick<RequestInput, 'system'>, source: readonly Message[]): string | null {
  if (typeof system === 'string') return system;
  if (Array.isArray(system)) return contentText(system);
  const [first] = source;
  return first && isSystem(first) ? contentText(first.content) : null;
}
