import { withinDeadline } from '@palimpsest/core/authoring';
import type { SessionParts } from '../parts/session-parts.ts';
import { maxStoreWaitMs } from './persistence.ts';

const firstWaitMs = 1_000;
const maxWaitMs = 30_000;

/** Whether a store works. After a failure, no request waits for it, until it has answered again in the background. */
export class StoreHealth {
  readonly #parts: Pick<SessionParts, 'clock' | 'events' | 'options'>;
  readonly #probe: () => Promise<unknown>;
  #isUp = true;
  #isProbing = false;
  #waitMs = firstWaitMs;
  #retryAt = 0;

  /** @param probe asks the store for something small */
  constructor(parts: Pick<SessionParts, 'clock' | 'events' | 'options'>, probe: () => Promise<unknown>) {
    this.#parts = parts;
    this.#probe = probe;
  }

  /** False while the store is taken for down. Asking tries it again in the background, from time to time. */
  get isUp(): boolean {
    const { clock, options } = this.#parts;
    if (this.#isUp || this.#isProbing || clock.now() < this.#retryAt) return this.#isUp;
    this.#isProbing = true;
    void withinDeadline(this.#probe, options.storeTimeoutMs, clock)
      .then(
        () => {
          this.#isUp = true;
          this.#waitMs = firstWaitMs;
        },
        () => this.#wait(),
      )
      .finally(() => {
        this.#isProbing = false;
      });
    return false;
  }

  noteFailure(operation: 'read' | 'write', error: unknown): void {
    this.#isUp = false;
    this.#wait();
    const reason = error instanceof Error ? error.message : 'It failed with a value that is not an Error.';
    this.#parts.events.publish({ type: 'store-failed', operation, reason });
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

  #wait(): void {
    this.#retryAt = this.#parts.clock.now() + this.#waitMs;
    this.#waitMs = Math.min(maxWaitMs, this.#waitMs * 2);
  }
}
