import { parseRecord, withinDeadline } from '@palimpsest/core/authoring';
import type { SessionOptions } from '../options/session-options.ts';
import type { SessionParts } from '../parts/session-parts.ts';
import { restoreReported, snapshotOf } from './session-state.ts';
import { signer } from './sign.ts';
import { type Loaded, SignedState } from './signed-state.ts';
import { storeFailureReason } from './store-failure-reason.ts';

/**
 * Writes the newest state, one write at a time. All calls of `save` during a write share the next one, which queue
 * libraries do not offer.
 */
class StateWriter {
  readonly #write: () => Promise<void>;
  #running: Promise<void> | null = null;
  #again = false;

  /** @param write writes the state as it is when called; must not reject */
  constructor(write: () => Promise<void>) {
    this.#write = write;
  }

  /** Resolves when the current state, or a newer one, is written. */
  save(): Promise<void> {
    if (!this.#running) {
      this.#running = this.#write().finally(() => {
        this.#running = null;
      });
      return this.#running;
    }
    this.#again = true;
    return this.#running.then(() => {
      if (!this.#again) return this.#running ?? undefined;
      this.#again = false;
      return this.save();
    });
  }

  /** Resolves when no write is running. */
  async idle(): Promise<void> {
    while (this.#running) await this.#running;
  }
}

/** How the state of a session is kept. A failing store is reported; the session works without it. */
export interface Persistence {
  /** Restores the stored state at the start. */
  load(): Promise<void>;
  /** Restores what was read late. Call it only between operations. */
  restoreLate(): Promise<void>;
  /** Takes over what other processes wrote. Call it only between operations. */
  refresh(): Promise<void>;
  /** Notes that the next operation follows at once, so that it does not read the store again. */
  keepFresh(): void;
  /** Notes that the conversation was replaced, so that what the store still has is not restored. */
  noteReplaced(): void;
  /**
   * Stores a change that others have to know before it is used. Call it only inside an operation.
   * @returns false if another process made a change at the same moment. Its state is in effect now, and ours is dropped
   */
  commit(): Promise<boolean>;
  /** Notes that a request was answered. Stores what was learned from it, sooner or later. */
  noteAnswered(): void;
  /** Resolves when the current state is in the store, or the store has failed. */
  save(): Promise<void>;
  /** Removes the state from the store. */
  delete(): Promise<void>;
  /** Resolves when no write is running. */
  idle(): Promise<void>;
}

/** Maximum time that a request waits for the store, in milliseconds. */
export const maxStoreWaitMs = 2_000;

const superseded =
  'The store could not be read at the start. Its state is not used, because a compaction was made since.';

/** Keeps the state of a session in its store, if it has one. The session is the only writer. */
export class OwnPersistence implements Persistence {
  readonly #parts: SessionParts;
  readonly #isSigned: boolean;
  readonly #stored: SignedState | null;
  readonly #writer: StateWriter;
  /** False until the store has been read once. Nothing is written before that, so a stored state is not overwritten. */
  #wasRead = false;
  /** A state that was read after the start, to be restored before the next operation. */
  #late: Loaded | null = null;
  /** True after the conversation was replaced: a state that is loaded later belongs to the old one. */
  #isReplaced = false;
  /** Ids of other writers that were reported. */
  readonly #otherWriters: Set<string> = new Set();
  /** True after the state was deleted, until a compaction: what was learned before must not bring it back. */
  #isDeleted = false;
  /** When the store failed that has not worked since; `null` while it works. Until then, `save` does not wait for it. */
  #downSince: number | null = null;

  constructor(parts: SessionParts, { store, key }: Pick<SessionOptions, 'store' | 'key'>) {
    this.#parts = parts;
    this.#isSigned = key !== undefined;
    this.#stored = store ? new SignedState(store, parts.id, signer(key)) : null;
    this.#writer = new StateWriter(() => this.#write());
  }

  async load(): Promise<void> {
    // The first request waits for this. The state in a slower store is restored later.
    const loaded = await this.#read(maxStoreWaitMs);
    if (loaded) await this.#restore(loaded);
  }

  async restoreLate(): Promise<void> {
    const late = this.#late;
    this.#late = null;
    if (late && this.#parts.compactions.isUntouched) await this.#restore(late);
    else if (late) this.#parts.events.publish({ type: 'state-discarded', reason: superseded });
  }

  noteReplaced(): void {
    this.#isReplaced = true;
    this.#late = null;
  }

  async refresh(): Promise<void> {}

  keepFresh(): void {}

  async commit(): Promise<boolean> {
    this.#isDeleted = false;
    await this.save();
    return true;
  }

  noteAnswered(): void {
    void this.save();
  }

  async delete(): Promise<void> {
    this.#isDeleted = true;
    await this.idle();
    try {
      await this.#withinTimeout(async () => this.#stored?.delete());
    } catch (error) {
      this.#reportFailure('write', error);
      throw error;
    }
  }

  save(): Promise<void> {
    if (!this.#stored || this.#isDeleted) return Promise.resolve();
    const saved = this.#writer.save();
    return this.#downSince === null ? saved : Promise.resolve();
  }

  idle(): Promise<void> {
    return this.#writer.idle();
  }

  async #read(atMostMs = Number.POSITIVE_INFINITY): Promise<Loaded | null> {
    const stored = this.#stored;
    if (!stored) return null;
    try {
      const loaded = await this.#withinTimeout(() => stored.read(), atMostMs);
      this.#wasRead = true;
      this.#noteWorks();
      return loaded;
    } catch (error) {
      this.#reportFailure('read', error);
      return null;
    }
  }

  async #restore({ body, problem }: Loaded): Promise<void> {
    const { events } = this.#parts;
    if (problem) events.publish({ type: 'state-discarded', reason: problem });
    if (body !== null) await restoreReported(this.#parts, parseRecord(body), this.#isSigned);
  }

  async #write(): Promise<void> {
    const stored = this.#stored!;
    if (!this.#wasRead) {
      const found = await this.#read();
      if (!found) return;
      // Prefer the stored state over a session that has not compacted anything yet.
      if (found.body !== null && !this.#isReplaced) this.#late = found;
    }
    if (this.#late && this.#parts.compactions.isUntouched) return;
    try {
      const body = JSON.stringify(snapshotOf(this.#parts));
      const otherWriter = await this.#withinTimeout(() => stored.write(body));
      this.#noteWorks();
      if (otherWriter !== null) this.#reportConflict(otherWriter);
    } catch (error) {
      this.#reportFailure('write', error);
    }
  }

  #withinTimeout<T>(work: () => Promise<T>, atMostMs = Number.POSITIVE_INFINITY): Promise<T> {
    const { clock, options } = this.#parts;
    return withinDeadline(work, Math.min(options.storeTimeoutMs, atMostMs), clock);
  }

  #reportConflict(otherWriter: string): void {
    if (this.#otherWriters.has(otherWriter)) return;
    this.#otherWriters.add(otherWriter);
    this.#parts.events.publish({
      type: 'store-conflict',
      message: `Another session object writes the state of "${this.#parts.id}". Only the last write of either survives a restart. Give each conversation its own id, or use a store for several processes.`,
    });
  }

  #reportFailure(operation: 'read' | 'write', error: unknown): void {
    this.#downSince ??= this.#parts.clock.now();
    this.#parts.events.publish({ type: 'store-failed', operation, reason: storeFailureReason(error) });
  }

  #noteWorks(): void {
    if (this.#downSince === null) return;
    const downMs = this.#parts.clock.now() - this.#downSince;
    this.#downSince = null;
    this.#parts.events.publish({ type: 'store-back', downMs });
  }
}
