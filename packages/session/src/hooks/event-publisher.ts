import type { Clock, EngineHost } from '@palimpsest/core';
import { maskedJson } from '@palimpsest/core/authoring';
import type { SessionEvent, SessionEventBody } from '../events/session-event.ts';
import type { SessionHooks } from '../options/session-hooks.ts';

/** Maximum length of a reason in an event. Characters. */
const longestReason = 400;

/** Masks events, adds the ids of the session and the compaction, and passes them to all listeners. */
export class EventPublisher {
  readonly #sessionId: string;
  readonly #clock: Clock;
  readonly #redact: (text: string) => string;
  readonly #hooks: SessionHooks;
  readonly #listeners: Set<(event: SessionEvent) => void> = new Set();
  #compaction: number | null = null;

  constructor(sessionId: string, clock: Clock, redact: (text: string) => string, hooks: SessionHooks) {
    this.#sessionId = sessionId;
    this.#clock = clock;
    this.#redact = redact;
    this.#hooks = hooks;
  }

  /** Adds a listener. @returns a function that removes it */
  on(listener: (event: SessionEvent) => void): () => void {
    this.#listeners.add(listener);
    return () => {
      this.#listeners.delete(listener);
    };
  }

  /** Passes an event to all listeners, then to the hook `onEvent`. An error of a listener is ignored. */
  publish(body: SessionEventBody | Parameters<EngineHost['emit']>[0]): void {
    const event = {
      ...masked(body, this.#redact),
      type: body.type,
      sessionId: this.#sessionId,
      compaction: this.#compaction,
      at: this.#clock.now(),
    } as SessionEvent;
    for (const listener of [...this.#listeners, (sent: SessionEvent) => this.#hooks.onEvent?.(sent)])
      try {
        listener(event);
      } catch {
        // A listener cannot stop a request.
      }
  }

  /** Runs `work`. Events published meanwhile belong to compaction `number`. */
  async duringCompaction<T>(number: number, work: () => Promise<T>): Promise<T> {
    const outer = this.#compaction;
    this.#compaction = number;
    try {
      return await work();
    } finally {
      this.#compaction = outer;
    }
  }
}

/** Masks secrets, then cuts the reason. In this order, because the redactor does not recognize half of a secret. */
function masked(body: object, redact: (text: string) => string): object {
  const event = maskedJson(body, redact) as Readonly<Record<string, unknown>>;
  const { reason } = event;
  if (typeof reason !== 'string' || reason.length <= longestReason) return event;
  return { ...event, reason: `${reason.slice(0, longestReason)}...` };
}
