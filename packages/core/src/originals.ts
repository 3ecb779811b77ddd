import type { Message } from './message.ts';

// A pure cache of where rewritten copies come from; it goes with the copies.
const originals = new WeakMap<Message, Message>();

/** The message as the caller has it, of one that a plan has rewritten, however often; any other message is itself. */
export function originalOf(message: Message): Message {
  return originals.get(message) ?? message;
}

/** Notes that a message is a rewritten copy of another. */
export function rewrittenFrom<M extends Message>(copy: M, original: Message): M {
  originals.set(copy, originalOf(original));
  return copy;
}
