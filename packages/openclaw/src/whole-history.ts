import type { PiMessage } from '@palimpsest/formats';
import type { OpenclawEvent } from './openclaw-api.ts';

/**
 * The history of a conversation from its beginning, or from the last `/reset`. OpenClaw passes only its end: eight bytes of
 * what it has stored for each token of the window.
 */
export class WholeHistory {
  #known: readonly PiMessage[] = [];

  /** Returns the history that ends with some messages. @param stored what OpenClaw has stored */
  endingWith(newest: readonly PiMessage[], stored: readonly OpenclawEvent[]): PiMessage[] {
    this.#known = [...this.#before(newest, stored), ...newest];
    return [...this.#known];
  }

  #before([first]: readonly PiMessage[], stored: readonly OpenclawEvent[]): readonly PiMessage[] {
    const firstAt = stored.findIndex(({ message }) => first && message && isSame(message, first));
    // A reset may keep the last messages.
    if (!first || stored.slice(firstAt).some(({ type }) => type === 'reset')) return [];
    // What was passed before is preferred: OpenClaw changes ids in what it passes, and the cache needs the same bytes.
    const knownAt = this.#known.findIndex((message) => isSame(message, first));
    return knownAt >= 0 ? this.#known.slice(0, knownAt) : messagesBefore(stored[firstAt], stored);
  }
}

/** The messages on the way to an event. Other branches are not of this conversation. */
function messagesBefore(last: OpenclawEvent | undefined, stored: readonly OpenclawEvent[]): PiMessage[] {
  const events = new Map(stored.map((event) => [event.id, event]));
  const parentOf = (event: OpenclawEvent | undefined) => events.get(event?.parentId ?? '');
  const before: PiMessage[] = [];
  for (let event = parentOf(last); event && event.type !== 'reset'; event = parentOf(event))
    if (event.message) before.push(event.message);
  return before.reverse();
}

/** OpenClaw passes copies, and may have changed their content. Without a time, only the content can tell. */
function isSame(one: Stamped, other: Stamped): boolean {
  if (one.role !== other.role || one.timestamp !== other.timestamp) return false;
  return one.timestamp !== undefined || JSON.stringify(one.content) === JSON.stringify(other.content);
}

/** OpenClaw's messages have the time of their creation, in milliseconds. */
interface Stamped extends PiMessage {
  readonly timestamp?: number;
  readonly content?: unknown;
}
