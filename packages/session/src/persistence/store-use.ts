import { withinDeadline } from '@palimpsest/core/authoring';
import type { SharedStore } from '../options/session-store.ts';
import type { SessionParts } from '../parts/session-parts.ts';
import { maxStoreWaitMs } from './persistence.ts';
import { type StoreHealth, storeHealth } from './store-health.ts';

/** How a session uses a store: it waits only as long as a request may, and reports failures. */
export class StoreUse {
  readonly #parts: Pick<SessionParts, 'clock' | 'events' | 'options'>;
  readonly #health: StoreHealth;

  constructor(parts: Pick<SessionParts, 'clock' | 'events' | 'options'>, store: SharedStore) {
    this.#parts = parts;
    this.#health = storeHealth(store);
  }

  /** Tries a store that is down again, in the background. @returns false while it counts as down */
  retry(): boolean {
    return this.#health.retry();
  }

  noteFailure(operation: 'read' | 'write', error: unknown): void {
    const { clock, events } = this.#parts;
    const noteBack = (downMs: number): void => events.publish({ type: 'store-back', downMs });
    const reason = this.#health.noteFailure(error, noteBack, clock);
    events.publish({ type: 'store-failed', operation, reason });
  }

  noteAnswer(): void {
    this.#health.noteAnswer();
  }

  /** Waits for the store only as long as a request may. */
  within<T>(work: () => Promise<T>): Promise<T> {
    const { clock, options } = this.#parts;
    return withinDeadline(work, Math.min(options.storeTimeoutMs, maxStoreWaitMs), clock);
  }

  /** @returns `null` if the store failed, which is reported */
  async orReport<T>(operation: 'read' | 'write', work: () => Promise<T>): Promise<T | null> {
    try {
      return await work();
    } catch (error) {
      this.noteFailure(operation, error);
      return null;
    }
  }
}
