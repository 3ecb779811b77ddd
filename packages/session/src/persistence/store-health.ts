import { type Clock, systemClock } from '@palimpsest/core';
import { withinDeadline } from '@palimpsest/core/authoring';
import type { SharedStore } from '../options/session-store.ts';
import { maxStoreWaitMs } from './persistence.ts';
import { storeFailureReason } from './store-failure-reason.ts';

/** How long a store that failed is left alone, in milliseconds. */
const retryAfterMs = 1_000;

/** Whether a store answers. All that use the store in this process share it. */
export interface StoreHealth {
  /** False from a failure until the store has answered again. Meanwhile no request waits for it. */
  readonly isUp: boolean;
  /** Tries a store that is down again, in the background and at most once a second. @returns whether it is up now */
  retry(): boolean;
  /**
   * Notes that a use of the store failed.
   * @param onBack called when the store answers again, with the milliseconds since then; never called if the store counted
   *   as down already
   * @returns the reason, in one line
   */
  noteFailure(error: unknown, onBack: (downMs: number) => void, clock?: Clock): string;
  /** Notes that the store answered. */
  noteAnswer(): void;
}

/** The first failure of a store that has not answered since. */
interface Outage {
  readonly since: number;
  readonly clock: Clock;
  readonly onBack: (downMs: number) => void;
  retryAt: number;
  isProbing: boolean;
}

class SharedHealth implements StoreHealth {
  readonly #store: SharedStore;
  #outage: Outage | null = null;

  constructor(store: SharedStore) {
    this.#store = store;
  }

  get isUp(): boolean {
    return this.#outage === null;
  }

  retry(): boolean {
    const outage = this.#outage;
    if (!outage) return true;
    if (!outage.isProbing && outage.clock.now() >= outage.retryAt) void this.#probe(outage);
    return false;
  }

  noteFailure(error: unknown, onBack: (downMs: number) => void, clock: Clock = systemClock): string {
    const now = clock.now();
    this.#outage ??= { since: now, clock, onBack, retryAt: now + retryAfterMs, isProbing: false };
    return storeFailureReason(error);
  }

  noteAnswer(): void {
    const outage = this.#outage;
    this.#outage = null;
    outage?.onBack(outage.clock.now() - outage.since);
  }

  async #probe(outage: Outage): Promise<void> {
    const { clock } = outage;
    outage.isProbing = true;
    const isBack = await withinDeadline(() => this.#store.version('palimpsest'), maxStoreWaitMs, clock).then(
      () => true,
      () => false,
    );
    outage.isProbing = false;
    outage.retryAt = clock.now() + retryAfterMs;
    if (isBack && this.#outage === outage) this.noteAnswer();
  }
}

const known = new WeakMap<SharedStore, StoreHealth>();

/**
 * Whether a store answers, as all sessions of this process know it. A health check calls `retry()`, so that it also notices
 * without requests that the store is back; a metric reads `isUp`.
 * @example
 * if (!storeHealth(store).retry()) console.warn('The store does not answer.');
 */
export function storeHealth(store: SharedStore): StoreHealth {
  const health = known.get(store) ?? new SharedHealth(store);
  known.set(store, health);
  return health;
}
