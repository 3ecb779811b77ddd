import { isImagePart, type Part, type RewriteEdit } from '@palimpsest/core';
import { commitRewrites } from '../compaction/commit-rewrites.ts';
import { guarded } from '../compaction/hooks.ts';
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
  const { messages } = core.view(work).projection;
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
  commitRewrites(core, work, replaceParts(messages, replacements) as RewriteEdit[], 'media');
  core.publish({ type: 'media-removed', parts: replacements.length - shrunk, shrunk });
  return true;
}

async function smallerImage(core: SessionCore, { part }: MediaPart, limits: MediaLimits): Promise<Part | null> {
  const { shrinkImage } = core.given.hooks ?? {};
  if (!shrinkImage || !isImagePart(part)) return null;
  const made = await guarded(core, 'shrinkImage', () => shrinkImage(part, limits));
  return typeof made === 'object' && made !== null && typeof made.type === 'string' ? made : null;
}
