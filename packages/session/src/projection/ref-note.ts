import { isSynthetic, isToolResult, type Message, messagesFollowing, type Part, readHandoff } from '@palimpsest/core';
import { prependHandoff, withRewrite, writeHandoff } from '@palimpsest/core/authoring';

/** The sentence that a handoff begins with when the model has the tools. */
const sentence =
  'The tool `recall` searches everything that was removed or shortened, and `expand` shows the text behind a [ref ...].';
const heading = 'Loaded or read before, and not visible any more:';
const gap = '\n\n';
const refNote: RegExp = /[ \n]\[ref [0-9a-f]{8}(?:-\d{1,4})?\]$/;

interface Noted {
  readonly content: Message['content'];
  readonly note: string;
  readonly message: Message;
}

// A pure cache, so that a message with its note is the same object every turn.
const noted = new WeakMap<Message, Noted>();

/** Ends a shortened result with the ref of its original. */
export function withRef(message: Message, ref: string): Message {
  return once(message, ref, () => {
    const { content } = message;
    if (typeof content === 'string') return ending(content, ref);
    const parts = (content ?? []) as readonly Part[];
    const last = parts.findLastIndex(({ type }) => type === 'text');
    if (last < 0) return [...parts, { type: 'text', text: `[ref ${ref}]` } as Part];
    return parts.map((part, at) => (at === last ? { ...part, text: ending(textOf(part), ref) } : part));
  });
}

/** Removes a ref that an earlier request gave to a result, when the host passes that request back as its history. */
export function withoutRef(message: Message): Message {
  const { content } = message;
  if (!isToolResult(message) || typeof content !== 'string' || !content.endsWith(']')) return message;
  const plain = content.replace(refNote, '');
  return plain !== content && isSynthetic({ ...message, content: plain }) ? once(message, '', () => plain) : message;
}

/**
 * Begins the body of a handoff with a sentence about the tools.
 * @param documents what can be read again, as lines with refs
 * @param key signs the handoff again
 */
export function withSentence(message: Message, documents: readonly string[], key: string): Message {
  const note = documents.length === 0 ? sentence : [sentence, heading, ...documents].join('\n');
  return withBody(message, key, (body) => `${note}${gap}${plainBody(body)}`);
}

/** Removes the sentence and its lines from a handoff. */
export function withoutSentence(message: Message, key: string): Message {
  return withBody(message, key, plainBody);
}

/** The body without the sentence and its lines: they end at the first blank line. */
function plainBody(body: string): string {
  if (!body.startsWith(sentence)) return body;
  const end = body.indexOf(gap);
  return end < 0 ? '' : body.slice(end + gap.length);
}

function withBody(message: Message, key: string, change: (body: string) => string): Message {
  const handoff = readHandoff(message);
  const body = handoff && change(handoff.body);
  if (!handoff || body === handoff.body) return message;
  return once(message, `${key} ${body}`, () => {
    const signature = handoff.signature === undefined ? undefined : key;
    return prependHandoff(writeHandoff(body!, messagesFollowing(message) ?? undefined, signature), handoff.rest);
  });
}

function ending(text: string, ref: string): string {
  return `${text}${text.includes('\n') ? '\n' : ' '}[ref ${ref}]`;
}

function textOf(part: Part): string {
  const { text } = part as { readonly text?: unknown };
  return typeof text === 'string' ? text : '';
}

function once(message: Message, note: string, write: () => Message['content']): Message {
  const known = noted.get(message);
  if (known?.note === note && known.content === message.content) return known.message;
  const changed = withRewrite(message, { content: write() ?? null });
  noted.set(message, { content: message.content, note, message: changed });
  return changed;
}
