import type { PiMessage } from '@palimpsest/formats';
import type { OpenclawEvent } from './openclaw-api.ts';

/** The history of a conversation from its beginning. OpenClaw passes only the newest messages: eight bytes for each token of the window. */
export class WholeHistory {
  #known: readonly PiMessage[] = [];

  /**
   * Returns the whole history that some messages are the end of.
   * @param readStored reads what OpenClaw has stored. Called if what is known does not have the first message
   */
  async endingWith(
    newest: readonly PiMessage[],
    readStored: () => Promise<readonly OpenclawEvent[]>,
  ): Promise<PiMessage[]> {
    const [first] = newest;
    if (!first) return [];
    const at = this.#known.findIndex((message) => isSame(message, first));
    const before = at >= 0 ? this.#known.slice(0, at) : messagesBefore(first, await readStored());
    const whole = [...before, ...newest];
    this.#known = whole;
    return whole;
  }
}

/** The messages on the way to a message, which begins at `/reset`. Other branches are not of this conversation. */
function messagesBefore(first: PiMessage, stored: readonly OpenclawEvent[]): PiMessage[] {
  const events = new Map(stored.map((event) => [event.id, event]));
  const parentOf = (event: OpenclawEvent | undefined) => events.get(event?.parentId ?? '');
  const before: PiMessage[] = [];
  let event = parentOf(stored.find(({ message }) => message && isSame(message, first)));
  for (; event && event.type !== 'reset'; event = parentOf(event)) if (event.message) before.push(event.message);
  return before.reverse();
}

/** OpenClaw passes copies, and may have changed their content. */
function isSame(one: Stamped, other: Stamped): boolean {
  return one.role === other.role && one.timestamp === other.timestamp;
}

/** OpenClaw's messages have the time of their creation, in milliseconds. */
interface Stamped extends PiMessage {
  readonly timestamp?: number;
}
