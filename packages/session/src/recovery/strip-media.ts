import { isImagePart, type Part, type RewriteEdit } from '@palimpsest/core';
import { commitRewrites } from '../compaction/commit-rewrites.ts';
import type { RequestInput } from '../conversation/request-input.ts';
import type { HookRunner } from '../hooks/hook-runner.ts';
import type { SessionParts } from '../parts/session-parts.ts';
import { type MediaLimits, type MediaPart, mediaToRemove, replaceParts, standIn } from './media.ts';

/**
 * Removes pictures and files from what the model sees, or lets the host shrink them. The change is a checkpoint, so it
 * persists across turns and can be undone. No model is called.
 * @param isImage true when the provider refused a single picture rather than the whole request
 * @returns false when there is nothing to remove
 */
export async function stripMedia(
  parts: SessionParts,
  input: RequestInput,
  limits: MediaLimits,
  isImage: boolean,
): Promise<boolean> {
  const { viewer, events, hooks } = parts;
  const { messages } = viewer.view(input).projection;
  const replacements: { readonly media: MediaPart; readonly with: Part }[] = [];
  let shrunk = 0;
  for (const media of mediaToRemove(messages, isImage ? limits : null)) {
    const smaller = await smallerImage(hooks, media, limits);
    if (smaller === media.part) continue;
    if (smaller) shrunk++;
    replacements.push({ media, with: smaller ?? standIn(media.part) });
  }
  if (replacements.length === 0) return false;
  commitRewrites(parts, input, replaceParts(messages, replacements) as RewriteEdit[], 'media');
  events.publish({ type: 'media-removed', parts: replacements.length - shrunk, shrunk });
  return true;
}

async function smallerImage(runner: HookRunner, { part }: MediaPart, limits: MediaLimits): Promise<Part | null> {
  if (!runner.hooks.shrinkImage || !isImagePart(part)) return null;
  const made = await runner.run('shrinkImage', () => runner.hooks.shrinkImage?.(part, limits));
  return typeof made === 'object' && made !== null && typeof made.type === 'string' ? made : null;
}
