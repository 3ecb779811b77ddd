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

  #before(newest: readonly PiMessage[], stored: readonly OpenclawEvent[]): readonly PiMessage[] {
    const events = stored.filter(({ message }) => message);
    const first =
      events[
        startOf(
          newest,
          events.map(({ message }) => message!),
        )
      ];
    // A reset may keep the last messages.
    if (first && stored.slice(stored.indexOf(first)).some(({ type }) => type === 'reset')) return [];
    // What was passed before is preferred: OpenClaw changes ids in what it passes, and the cache needs the same bytes.
    const knownAt = startOf(newest, this.#known);
    return knownAt >= 0 ? this.#known.slice(0, knownAt) : messagesBefore(first, stored);
  }
}

/** The index in a history at which the newest messages begin; -1 if it has none of them. Equal messages are told apart by what follows. */
function startOf([first, ...rest]: readonly PiMessage[], history: readonly PiMessage[]): number {
  if (!first) return -1;
  const isContinued = (at: number): boolean =>
    rest.every((message, index) => !history[at + 1 + index] || isSame(history[at + 1 + index]!, message));
  const starts = [...history.keys()].filter((at) => isSame(history[at]!, first));
  return starts.find(isContinued) ?? starts[0] ?? -1;
}

/** The messages that lead to an event. Other branches do not belong to this conversation. */
function messagesBefore(last: OpenclawEvent | undefined, stored: readonly OpenclawEvent[]): PiMessage[] {
  const events = new Map(stored.map((event) => [event.id, event]));
  const parentOf = (event: OpenclawEvent | undefined) => events.get(event?.parentId ?? '');
  const before: PiMessage[] = [];
  for (let event = parentOf(last); event && event.type !== 'reset'; event = parentOf(event))
    if (event.message) before.push(event.message);
  return before.reverse();
}

/** OpenClaw passes copies, and may have changed their content. Without a time, only the content identifies them. */
function isSame(one: Stamped, other: Stamped): boolean {
  if (one.role !== other.role || one.timestamp !== other.timestamp) return false;
  return one.timestamp !== undefined || JSON.stringify(one.content) === JSON.stringify(other.content);
}

/** OpenClaw's messages have the time of their creation, in milliseconds. */
interface Stamped extends PiMessage {
  readonly timestamp?: number;
  readonly content?: unknown;
}
