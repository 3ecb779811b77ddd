import { dequal } from 'dequal';

/**
 * Gives the same object for the same message in every request, for hosts that copy their messages before each one. Sessions and
 * codecs keep what they have read by object, so that a request costs only what is new.
 *
 * @example
 * const known = new KnownMessages();
 * const { messages } = codec.decode({ messages: known.recognize(copies) });
 */
export class KnownMessages {
  #known: readonly unknown[] = [];

  /** Returns the messages, each as the object that was passed first with the same content at the same place. */
  recognize<M>(messages: readonly M[]): M[] {
    const before = this.#known as readonly M[];
    const same = messages.map((message, at) => (dequal(before[at], message) ? before[at]! : message));
    this.#known = same;
    return same;
  }
}
