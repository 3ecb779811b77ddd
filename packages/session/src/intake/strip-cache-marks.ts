import { isTextPart, type Message, type Part, type TextPart } from '@palimpsest/core';

/**
 * Removes `cache_control` marks from a message. Callers mark the newest messages and remove the marks a turn later; a text
 * may become a list of one part to carry its mark. Without the marks, the message is the same in every turn.
 * @returns the message itself when it has no marks
 */
export function withoutCacheMarks(message: Message): Message {
  const { content } = message;
  if (!Array.isArray(content)) return message;
  const known = plainMessages.get(message);
  if (known?.content === content && known.parts === content.length) return known.plain;
  const plain = withoutMarks(message, content as readonly Part[]);
  plainMessages.set(message, { content, parts: content.length, plain });
  return plain;
}

// A message without marks is the same object every turn.
const plainMessages = new WeakMap<Message, { content: unknown; parts: number; plain: Message }>();

function withoutMarks(message: Message, parts: readonly Part[]): Message {
  const plain = parts.some((part) => isMarked(part))
    ? parts.map((part) => (isMarked(part) ? without(part) : part))
    : parts;
  const [only] = plain;
  if (plain.length === 1 && isPlainText(only)) return { ...message, content: only.text };
  return plain === parts ? message : { ...message, content: plain };
}

function isMarked(part: Part | null | undefined): boolean {
  return typeof part === 'object' && part !== null && 'cache_control' in part;
}

function without(part: Part): Part {
  const { cache_control: _, ...rest } = part as Part & { readonly cache_control?: unknown };
  return rest;
}

function isPlainText(part: Part | undefined): part is TextPart {
  return part?.type === 'text' && isTextPart(part) && Object.keys(part).length === 2;
}

/** Another text in place of a content, with the mark behind its last part. */
export function textWithMark(content: unknown, text: string): string | readonly Part[] {
  const last = Array.isArray(content) ? (content as readonly Part[]).at(-1) : undefined;
  return last && isMarked(last) && isTextPart(last) ? [{ ...last, text } as Part] : text;
}
