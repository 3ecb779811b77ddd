import type { Message } from './message.ts';

// Maps rewritten copies to their originals. An entry is garbage-collected with its copy.
const originals = new WeakMap<Message, Message>();

/** Returns the caller's original of a message that plans have rewritten; otherwise the message itself. */
export function originalOf(message: Message): Message {
  return originals.get(message) ?? message;
}

/** Records that `copy` is a rewritten version of `original`, and returns `copy`. */
export function linkToOriginal<M extends Message>(copy: M, original: Message): M {
  originals.set(copy, originalOf(original));
  return copy;
}
