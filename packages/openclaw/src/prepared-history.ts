import type { PiMessage } from '@palimpsest/formats';

/**
 * A history, and the messages that were returned in its place. In the middle of a turn, OpenClaw passes these back as the
 * history.
 */
export class PreparedHistory {
  readonly #history: readonly PiMessage[];
  readonly #shown: readonly PiMessage[];

  constructor(history: readonly PiMessage[], shown: readonly PiMessage[]) {
    this.#history = history;
    this.#shown = shown;
  }

  /** Returns the whole history that messages stand for. */
  whole<Message extends PiMessage>(given: Message[]): Message[] {
    const isShown = this.#shown.every((message, at) => isSame(message, given[at]));
    return isShown ? [...(this.#history as readonly Message[]), ...given.slice(this.#shown.length)] : given;
  }
}

/** OpenClaw passes copies. */
function isSame(message: PiMessage, given: PiMessage | undefined): boolean {
  return message === given || (given !== undefined && JSON.stringify(message) === JSON.stringify(given));
}
