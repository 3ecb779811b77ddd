import { type Edit, isImagePart, isTextPart, type Message, type Part } from '@palimpsest/core';
import { mediaPlaceholder } from '@palimpsest/core/authoring';

/** The size a provider allows for a picture or a request; `null` for a limit it did not state. */
export interface MediaLimits {
  readonly bytes: number | null;
  readonly pixels: number | null;
}

/** A part to remove or shrink: the index of its message, and its own index in the message. */
export interface MediaPart {
  readonly at: number;
  readonly index: number;
  readonly part: Part;
}

/** True for a part with a picture, a recording or a file. */
function isMedia(part: Part | null | undefined): part is Part {
  if (!part || isTextPart(part)) return false;
  return isImagePart(part) || /^(?:input_)?(?:image|audio|file|video|document)(?:_url)?$/.test(part.type);
}

/**
 * The media to remove first: those over the limits, if there are any. Otherwise all media except those of the newest
 * message with media, because the user is probably asking about them. Otherwise all.
 * @param limits `null` to ignore the sizes
 */
export function mediaToRemove(messages: readonly Message[], limits: MediaLimits | null): MediaPart[] {
  const all: MediaPart[] = [];
  messages.forEach(({ content }, at) => {
    if (!Array.isArray(content)) return;
    (content as readonly Part[]).forEach((part, index) => {
      if (isMedia(part)) all.push({ at, index, part });
    });
  });
  const over = limits ? all.filter(({ part }) => isOver(part, limits)) : [];
  if (over.length > 0) return over;
  const newest = all.at(-1)?.at;
  const older = all.filter(({ at }) => at !== newest);
  return older.length > 0 ? older : all;
}

/** The edits that replace parts. */
export function replaceParts(
  messages: readonly Message[],
  replacements: readonly { readonly media: MediaPart; readonly with: Part }[],
): Edit[] {
  const byMessage = new Map<number, Map<number, Part>>();
  for (const { media, with: part } of replacements) {
    const parts = byMessage.get(media.at) ?? new Map<number, Part>();
    byMessage.set(media.at, parts.set(media.index, part));
  }
  return [...byMessage].map(([at, parts]) => ({
    kind: 'rewrite',
    at,
    set: { content: (messages[at]!.content as readonly Part[]).map((part, index) => parts.get(index) ?? part) },
    reasons: [{ code: 'media', note: `${parts.size} picture(s) or file(s) were too large for the provider.` }],
  }));
}

/** The placeholder for a removed part. */
export function standIn(part: Part): Part {
  const type = part.type.startsWith('input_') ? 'input_text' : 'text';
  const kind = isImagePart(part) ? 'image' : 'file';
  return { type, text: mediaPlaceholder(kind, 'too large for the provider') } as Part;
}

/** Compares bytes only, because counting pixels takes a decoder. */
function isOver(part: Part, { bytes }: MediaLimits): boolean {
  const data = bytes === null ? null : dataOf(part);
  return data !== null && (data.length * 3) / 4 > bytes!;
}

/** The encoded data of a picture in OpenAI's or Anthropic's format, as a data URL or base64; `null` for a link. */
function dataOf(part: Part): string | null {
  const { image_url: openai, source, data, image } = part as Part & Readonly<Record<string, unknown>>;
  const url = typeof openai === 'string' ? openai : (openai as { readonly url?: unknown } | undefined)?.url;
  const candidates = [url, (source as { readonly data?: unknown } | undefined)?.data, data, image];
  const found = candidates.find((value): value is string => typeof value === 'string' && value.length > 64);
  return found === undefined || /^https?:/.test(found) ? null : found;
}
