import {
  type CompressResult,
  contentText,
  isSystem,
  isToolResult,
  type Message,
  type MessageOutcome,
  type Origin,
  toolCallInput,
  toolCallName,
  toolCalls,
} from '@palimpsest/core';
import { groupMessages } from '@palimpsest/core/authoring';
import type { Checkpoint } from '../checkpoints/checkpoint.ts';
import type { Projection } from '../checkpoints/checkpoint-chain.ts';
import { type CheckpointContent, makeCheckpoint } from '../checkpoints/make-checkpoint.ts';
import type { RequestInput } from '../conversation/request-input.ts';
import { answerAfter } from '../hooks/compaction-hooks.ts';
import type { RemovedResult } from '../options/session-hooks.ts';
import type { SessionParts } from '../parts/session-parts.ts';
import { lastingRewrites } from './lasting-rewrites.ts';
import { countsTowardLimit, type PlannedCompaction } from './plan-compaction.ts';
import { recordCompaction } from './record-compaction.ts';

/** Puts a planned compaction into effect: adds its checkpoint, its record and the additions of the host's hook. */
export async function commitCompaction(
  parts: SessionParts,
  input: RequestInput,
  planned: PlannedCompaction,
): Promise<Checkpoint> {
  const { engine, events, redact } = parts;
  const { chain, log } = parts.compactions;
  const { number, base, edits, covered, result } = planned;
  const source = input.intake.messages;
  const content: CheckpointContent = {
    number,
    parent: base?.number ?? log.last,
    covers: covered.length,
    edits: edits ?? [],
    lasting: lastingRewrites(base, source),
    overlay: { todo: null, system: base?.overlay.system ?? null },
    engineBefore: engine.ready.snapshot(),
  };
  const checkpoint = makeCheckpoint(content, source, redact);
  if (checkpoint.plan.sealed === null)
    events.publish({
      type: 'state-incomplete',
      reason:
        'A compaction is not stored, because its plan contains what looks like a secret. It is repeated after a restart.',
    });
  result.commit?.();
  chain.add(checkpoint);
  return events.duringCommit(number, () => completeCommit(parts, input, planned, { content, first: checkpoint }));
}

/** Records the compaction, calls the hook `afterCompaction`, and publishes `checkpoint-commit`. */
async function completeCommit(
  parts: SessionParts,
  input: RequestInput,
  planned: PlannedCompaction,
  { content, first }: { readonly content: CheckpointContent; readonly first: Checkpoint },
): Promise<Checkpoint> {
  const { clock, events, hooks, id, redact, viewer } = parts;
  const { chain, log, turns } = parts.compactions;
  const { number, asked, result, before } = planned;
  const { trigger } = asked;
  const { outcome } = result;
  const source = input.intake.messages;
  const bare = viewer.view(input);
  const { modelCalls } = result.report;
  const { durationMs } = planned;
  const facts = { at: clock.now(), trigger, outcome, modelCalls, durationMs };
  const record = recordCompaction(parts, first, facts, { before, after: bare });
  const ours = ownSystem(input, source);
  const answer = await answerAfter(hooks, {
    sessionId: id,
    record,
    messages: bare.assembled.messages,
    removedResults: listRemovedResults(source, before.projection, result),
    system: first.overlay.system ?? ours,
  });
  const { todo = null, system = first.overlay.system } = answer;
  const at = todo === null ? -1 : bare.projection.messages.findLastIndex(({ role }) => role === 'user');
  const overlay = { todo: todo === null ? null : { at, text: todo }, system: system === ours ? null : system };
  const isChanged = todo !== null || overlay.system !== first.overlay.system;
  const covers = Math.max(first.covers, endOfGroup(source, bare.projection.provenance.output[at]));
  const checkpoint = isChanged ? makeCheckpoint({ ...content, covers, overlay }, source, redact) : first;
  if (isChanged) {
    chain.remove(first);
    chain.add(checkpoint);
    log.change(number, { tokensAfter: viewer.view(input).size.tokens });
  }
  if (countsTowardLimit(asked, result)) turns.noteSuccess(clock.now());
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

/** The end of the group of a message that a todo snapshot is merged into, so that the checkpoint covers it. */
function endOfGroup(source: readonly Message[], origin: Origin | undefined): number {
  if (origin === undefined || origin.kind === 'inserted') return 0;
  return groupMessages(source).find(({ from, to }) => from <= origin.from && origin.from < to)?.to ?? 0;
}

/** The caller's own system prompt as text, or `null`. */
function ownSystem({ system }: Pick<RequestInput, 'system'>, source: readonly Message[]): string | null {
  if (typeof system === 'string') return system;
  if (Array.isArray(system)) return contentText(system);
  const [first] = source;
  return first && isSystem(first) ? contentText(first.content) : null;
}

/**
 * The tool results that the model no longer sees in full after a compaction.
 * @param source the repaired conversation
 * @param before what the model saw
 */
function listRemovedResults(
  source: readonly Message[],
  before: Projection,
  { basis, provenance }: Pick<CompressResult<Message>, 'basis' | 'provenance'>,
): RemovedResult[] {
  if (basis === 'transcript') return collectRemoved(before.messages, provenance.source);
  const outcomes = provenance.source.map((outcome, index): MessageOutcome | null => {
    const { kind } = before.provenance.source[index]!;
    // A result that was shortened before is reported again only when it is removed.
    return kind === 'kept' || (kind === 'rewritten' && outcome.kind !== 'rewritten') ? outcome : null;
  });
  return collectRemoved(source, outcomes);
}

/** @param outcomes by message; `null` for one that is not reported */
function collectRemoved(messages: readonly Message[], outcomes: readonly (MessageOutcome | null)[]): RemovedResult[] {
  const removed: RemovedResult[] = [];
  let caller = -1;
  messages.forEach((message, index) => {
    if (!isToolResult(message)) {
      if (message.role === 'assistant') caller = index;
      return;
    }
    const outcome = outcomes[index];
    if (!outcome || outcome.kind === 'kept' || outcome.kind === 'carried') return;
    const call = caller < 0 ? undefined : toolCalls(messages[caller]!).find(({ id }) => id === message.tool_call_id);
    const legacy = caller < 0 ? null : messages[caller]!.function_call;
    removed.push({
      toolCallId: message.tool_call_id ?? '',
      toolName: call ? toolCallName(call) : (legacy?.name ?? message.name ?? ''),
      input: call ? toolCallInput(call) : (legacy?.arguments ?? ''),
      outcome: outcome.kind === 'rewritten' ? 'shortened' : outcome.kind,
    });
  });
  return removed;
}
