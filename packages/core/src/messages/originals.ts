import type { Message } from './message.ts';

// Maps rewritten copies to their originals; entries are collected with the copies.
const originals = new WeakMap<Message, Message>();

/** The caller's original of a message that plans have rewritten, once or repeatedly; otherwise the message itself. */
export function originalOf(message: Message): Message {
  return originals.get(message) ?? message;
}

/** Records that `copy` is a rewritten version of `original`, and returns `copy`. */
export function rewrittenFrom<M extends Message>(copy: M, original: Message): M {
  originals.set(copy, originalOf(original));
  return copy;
}
