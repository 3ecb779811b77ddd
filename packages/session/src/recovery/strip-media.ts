import { compose, fingerprint, isImagePart, type Part } from '@palimpsest/core';
import { guarded } from '../compaction/hooks.ts';
import { baseEdits } from '../compaction/plan-compaction.ts';
import { type Checkpoint, coverage, noOverlay } from '../conversation/checkpoint.ts';
import { CheckpointPlan } from '../conversation/checkpoint-plan.ts';
import type { SessionCore, Work } from '../session-core.ts';
import { type MediaLimits, type MediaPart, mediaToRemove, replaceParts, standIn } from './media.ts';

/**
 * Takes pictures and files out of what the model sees, or has the host shrink them; as a checkpoint, so that it stays
 * so from turn to turn and can be undone. No model is called.
 * @returns false when there is nothing to take
 */
export async function stripMedia(
  core: SessionCore,
  work: Work,
  limits: MediaLimits,
  ofImage: boolean,
): Promise<boolean> {
  const before = core.view(work);
  const { messages, checkpoint: base } = before.projection;
  const wanted = mediaToRemove(messages, ofImage ? limits : null);
  const replacements: { readonly media: MediaPart; readonly with: Part }[] = [];
  let shrunk = 0;
  for (const media of wanted) {
    const smaller = await smallerImage(core, media, limits);
    if (smaller === media.part) continue;
    if (smaller) shrunk++;
    replacements.push({ media, with: smaller ?? standIn(media.part) });
  }
  if (replacements.length === 0) return false;
  const source = work.intake.messages;
  const edits = compose(source, baseEdits(base, source), replaceParts(messages, replacements));
  const covered = source.slice(0, coverage(source, edits));
  const started = core.clock.now();
  const checkpoint: Checkpoint = {
    number: core.next++,
    parent: base?.number ?? core.records.at(-1)?.number ?? null,
    covers: Math.max(covered.length, base?.covers ?? 0),
    fingerprint: fingerprint(source, Math.max(covered.length, base?.covers ?? 0)),
    plan: CheckpointPlan.of(edits, source.slice(0, Math.max(covered.length, base?.covers ?? 0)), core.redact),
    overlay: base?.overlay ?? noOverlay,
    engineBefore: null,
  };
  core.chain.add(checkpoint);
  const after = core.view(work);
  core.addRecord({
    number: checkpoint.number,
    parent: checkpoint.parent,
    at: started,
    trigger: 'media',
    outcome: 'compressed',
    tokensBefore: before.size.tokens,
    tokensAfter: after.size.tokens,
    messagesBefore: before.assembled.messages.length,
    messagesAfter: after.assembled.messages.length,
    modelCalls: 0,
    durationMs: core.clock.now() - started,
    cachedShareBefore: core.lastCachedShare,
    cachedShareAfter: null,
    undone: false,
  });
  core.publish({ type: 'media-removed', parts: replacements.length - shrunk, shrunk });
  return true;
}

async function smallerImage(core: SessionCore, { part }: MediaPart, limits: MediaLimits): Promise<Part | null> {
  const { shrinkImage } = core.given.hooks ?? {};
  if (!shrinkImage || !isImagePart(part)) return null;
  const made = await guarded(core, 'shrinkImage', () => shrinkImage(part, limits));
  return typeof made === 'object' && made !== null && typeof made.type === 'string' ? made : null;
}
