import type { Clock, EngineHost } from '@palimpsest/core';
import { maskJson } from '@palimpsest/core/authoring';
import type { SessionEvent, SessionEventBody } from '../events/session-event.ts';
import type { SessionHooks } from '../options/session-hooks.ts';

/** Maximum length of a reason in an event. Characters. */
const maxReasonLength = 400;

/** Masks events, adds the ids of the session and the compaction, and passes them to all listeners. */
export class EventPublisher {
  readonly #sessionId: string;
  readonly #clock: Clock;
  readonly #redact: (text: string) => string;
  readonly #hooks: SessionHooks;
  readonly #listeners: Set<(event: SessionEvent) => void> = new Set();
  /** The compaction that is planned, and the one that is committed. A plan may run while requests do. */
  #planned: number | null = null;
  #committed: number | null = null;

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

  /** Number of the compaction that is planned now; `null` while none is. */
  get planned(): number | null {
    return this.#planned;
  }

  /** Passes an event to all listeners, then to the hook `onEvent`. An error of a listener is ignored. */
  publish(body: SessionEventBody, compaction: number | null = this.#committed): void {
    this.#send(body, compaction);
  }

  /** The same for what the engine tells: it belongs to the compaction that is planned. */
  publishOfPlan(body: Parameters<EngineHost['emit']>[0]): void {
    this.#send(body, this.#planned);
  }

  #send(body: SessionEventBody | Parameters<EngineHost['emit']>[0], compaction: number | null): void {
    const event = {
      ...maskEvent(body, this.#redact),
      type: body.type,
      sessionId: this.#sessionId,
      compaction,
      at: this.#clock.now(),
    } as SessionEvent;
    for (const listener of [...this.#listeners, (sent: SessionEvent) => this.#hooks.onEvent?.(sent)])
      try {
        listener(event);
      } catch {
        // A listener cannot stop a request.
      }
  }

  /** Plans compaction `number`. Only what the engine and its summarizer tell meanwhile belongs to it. */
  async duringPlan<T>(number: number, plan: () => Promise<T>): Promise<T> {
    this.#planned = number;
    try {
      return await plan();
    } finally {
      this.#planned = null;
    }
  }

  /** Commits compaction `number`, while no request is prepared. Events published meanwhile belong to it. */
  async duringCommit<T>(number: number, commit: () => Promise<T>): Promise<T> {
    this.#committed = number;
    try {
      return await commit();
    } finally {
      this.#committed = null;
    }
  }
}

/** Masks secrets, then cuts the reason. In this order, because the redactor does not recognize half of a secret. */
function maskEvent(body: object, redact: (text: string) => string): object {
  const event = maskJson(body, redact) as Readonly<Record<string, unknown>>;
  const { reason } = event;
  if (typeof reason !== 'string' || reason.length <= maxReasonLength) return event;
  return { ...event, reason: `${reason.slice(0, maxReasonLength)}...` };
}
