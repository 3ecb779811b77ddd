import {
  type ForeignHandoffReader,
  isBlank,
  isTextPart,
  type Message,
  type Part,
  readAnyHandoff,
} from '@palimpsest/core';
import { breakMarks } from '@palimpsest/core/authoring';

/** A tag that every reader treats as inserted text, so that its content never counts as a request. */
const opening = '<todo-snapshot source="session">\n';
const closing = '\n</todo-snapshot>';
const gap = '\n\n';

/** Formats a todo snapshot as a block. Its text cannot close the block. */
export function todoBlock(text: string): string {
  return `${opening}${breakMarks(text).replaceAll('</todo-snapshot', '<\\/todo-snapshot')}${closing}`;
}

/** Inserts a block before the user's words, and after a handoff at the beginning of the message. The request stays the suffix. */
export function withTodo<M extends Message>(message: M, block: string, reader: ForeignHandoffReader): M {
  const { content } = message;
  const handoff = readAnyHandoff(message, reader);
  if (Array.isArray(content)) {
    const parts = content as readonly Part[];
    const first = parts[0];
    if (!handoff || !first || !isTextPart(first)) return { ...message, content: [textPart(block), ...parts] };
    return {
      ...message,
      content: [{ ...first, text: insertBlock(first.text, handoff.rest, block) } as Part, ...parts.slice(1)],
    };
  }
  const text = typeof content === 'string' ? content : '';
  return { ...message, content: handoff ? insertBlock(text, handoff.rest, block) : `${block}${gap}${text}` };
}

/** Inserts the block into a text that begins with a handoff and ends with the user's words. */
function insertBlock(text: string, rest: string | readonly Part[], block: string): string {
  const first = typeof rest === 'string' ? rest : rest[0];
  const own =
    typeof first === 'string' ? first : first && isTextPart(first) && text.endsWith(first.text) ? first.text : '';
  if (own === '') return `${text}${gap}${block}`;
  return `${text.slice(0, text.length - own.length)}${block}${gap}${own}`;
}

/** Removes the block from a message. Returns the same message when it has none, and `null` when it was only a block. */
export function withoutTodo(message: Message): Message | null {
  const { content } = message;
  if (message.role !== 'user' || !content) return message;
  if (typeof content === 'string') {
    const text = withoutBlock(content);
    return text === content ? message : text.trim() === '' ? null : { ...message, content: text };
  }
  const parts = content.flatMap((part: Part): Part[] => {
    if (!part || !isTextPart(part) || !part.text.includes(opening)) return [part];
    const text = withoutBlock(part.text);
    return text === '' ? [] : [{ ...part, text } as Part];
  });
  if (parts.length === content.length && parts.every((part, at) => part === content[at])) return message;
  return isBlank(parts) ? null : { ...message, content: parts };
}

function withoutBlock(text: string): string {
  const from = text.indexOf(opening);
  const to = from < 0 ? -1 : text.indexOf(closing, from);
  if (to < 0) return text;
  const end = to + closing.length;
  if (text.startsWith(gap, end)) return text.slice(0, from) + text.slice(end + gap.length);
  const before = text.slice(0, from);
  return (before.endsWith(gap) ? before.slice(0, -gap.length) : before) + text.slice(end);
}

function textPart(text: string): Part {
  return { type: 'text', text } as Part;
}
