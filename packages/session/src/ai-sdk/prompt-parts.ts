import type { Fields } from '@palimpsest/core/authoring';
import type { AiSdkMessage, AiSdkPart } from '@palimpsest/formats';

/**
 * Converts messages to the prompt of a language model, which has parts where a message may have a text, and files where it
 * may have images. Messages of the original prompt stay the same objects.
 * @param specificationVersion the model's, such as `'v3'`: files are written differently in each
 */
export function asPrompt(
  messages: readonly AiSdkMessage[],
  original: readonly AiSdkMessage[],
  specificationVersion: string,
): AiSdkMessage[] {
  const own = new Set(original);
  return messages.map((message) => {
    const { role, content } = message;
    if (own.has(message) || role === 'system') return message;
    if (typeof content === 'string') return { ...message, content: [{ type: 'text', text: content } as AiSdkPart] };
    return { ...message, content: content.map((part) => asPromptPart(part, specificationVersion)) };
  });
}

function asPromptPart(part: AiSdkPart, version: string): AiSdkPart {
  const { image, output } = part as AiSdkPart & { readonly image?: unknown; readonly output?: Fields };
  if (part.type === 'image') return filePart(String(image), version);
  if (part.type !== 'tool-result' || output?.type !== 'content') return part;
  const value = (output.value as readonly AiSdkPart[]).map((inner) => asOutputPart(inner, version));
  return { ...part, output: { ...output, value } } as AiSdkPart;
}

/** Converts an image that was written into a tool result. Version 3 has the same parts in prompts and in messages. */
function asOutputPart(part: AiSdkPart, version: string): AiSdkPart {
  if (part.type !== 'image-data' || version === 'v3') return part;
  const { data, mediaType } = part as AiSdkPart & { readonly data: string; readonly mediaType: string };
  if (version === 'v2') return { type: 'media', data, mediaType } as AiSdkPart;
  return { type: 'file', data: { type: 'data', data }, mediaType } as AiSdkPart;
}

/** @param image a data URL, or the URL of a picture */
function filePart(image: string, version: string): AiSdkPart {
  const inline = /^data:([^;,]{1,100});base64,/.exec(image);
  const mediaType = inline?.[1] ?? 'image/*';
  const data = inline ? image.slice(inline[0].length) : new URL(image);
  if (version === 'v2' || version === 'v3') return { type: 'file', data, mediaType } as AiSdkPart;
  const wrapped = inline ? { type: 'data', data } : { type: 'url', url: data };
  return { type: 'file', data: wrapped, mediaType } as AiSdkPart;
}
