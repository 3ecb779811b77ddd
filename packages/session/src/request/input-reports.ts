import type { Intake } from '../intake/intake.ts';
import type { SessionParts } from '../parts/session-parts.ts';

/** Reports problems of the caller's conversation, each of them once. */
export class InputReports {
  readonly #parts: SessionParts;
  /** The last reported repairs, as JSON. */
  #repairs = '{}';
  /** Keys of the conversations that were reported. */
  readonly #conversations: Set<string> = new Set();

  constructor(parts: SessionParts) {
    this.#parts = parts;
  }

  /** Publishes `input-repaired` when repairs begin or change. */
  reportRepairs({ repairs }: Pick<Intake, 'repairs'>): void {
    const now = JSON.stringify(repairs);
    if (now !== this.#repairs && now !== '{}') this.#parts.events.publish({ type: 'input-repaired', repairs });
    this.#repairs = now;
  }

  /** Publishes `second-conversation` once for each further conversation. */
  reportConversation(intake: Intake): void {
    const { events, id } = this.#parts;
    const { requests } = this.#parts.conversation;
    const keys = requests.otherConversation(intake);
    if (keys === null || this.#conversations.has(keys.other)) return;
    this.#conversations.add(keys.other).add(keys.own);
    events.publish({
      type: 'second-conversation',
      message: `Another conversation runs on session "${id}". Both are kept within the window, but they share its limits, its checkpoints for undo and its statistics. Give each conversation its own session.`,
    });
  }
}
