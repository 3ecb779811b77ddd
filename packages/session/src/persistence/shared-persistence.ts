import { parseRecord } from '@palimpsest/core/authoring';
import type { SessionOptions } from '../options/session-options.ts';
import type { SharedStore } from '../options/session-store.ts';
import type { SessionParts } from '../parts/session-parts.ts';
import { OneAtATime } from '../scheduling/one-at-a-time.ts';
import {
  baseOf,
  compactionsKey,
  importantKey,
  mergeSnapshots,
  type StoredBase,
  wasDeleted,
} from './merge-snapshots.ts';
import type { Persistence } from './persistence.ts';
import { type SessionSnapshot, sessionSnapshotProblem } from './session-snapshot.ts';
import { replaceDeleted, restoreInto, restoreReported, snapshotOf } from './session-state.ts';
import { signer } from './sign.ts';
import { type Loaded, SignedState } from './signed-state.ts';
import { StoreUse } from './store-use.ts';

/** Maximum number of answers before statistics that do not affect requests are written. */
const answersPerWrite = 25;
/** Conflicts in a row after which a write is given up. Each one means that another process has written. */
const maxConflicts = 5;
/** How long a lease lasts, in milliseconds: a model may write for three minutes. */
const leaseMs = 200_000;
/** How long the state counts as the newest for the next operation, in milliseconds. */
const freshMs = 100;

/**
 * Keeps the state of a session in a store that several processes use. Any of them may serve the next request, so each
 * operation begins with the newest state, and a compaction is stored before it is used. Of two compactions at the same
 * moment, the one that is stored first counts.
 */
export class SharedPersistence implements Persistence {
  readonly #parts: SessionParts;
  readonly #isSigned: boolean;
  readonly #store: SharedStore;
  readonly #stored: SignedState;
  readonly #use: StoreUse;
  /** Uses of the store, in order. */
  readonly #line: OneAtATime = new OneAtATime();
  #base: StoredBase;
  /** True if the store has a state that must be taken over, although this session wrote it. */
  #isMerged = false;
  /** True if something in memory must be stored that could not be. */
  #isUnsaved = false;
  /** True after the state was deleted, until it is stored again: what was learned before must not bring it back. */
  #isDeleted = false;
  /** Until then, the next operation does not read the store. */
  #freshUntil = 0;
  #answers = 0;

  constructor(parts: SessionParts, { key }: Pick<SessionOptions, 'key'>, store: SharedStore) {
    this.#parts = parts;
    this.#isSigned = key !== undefined;
    this.#store = store;
    this.#stored = new SignedState(store, parts.id, signer(key));
    this.#use = new StoreUse(parts, store);
    this.#base = baseOf(snapshotOf(parts), null);
  }

  load(): Promise<void> {
    return this.#line.run(async () => {
      await this.#use.orReport('read', async () => {
        const loaded = await this.#use.within(() => this.#stored.read());
        this.#use.noteAnswer();
        const theirs = this.#read(loaded);
        if (theirs) {
          await restoreReported(this.#parts, theirs, this.#isSigned);
          this.#base = baseOf(theirs, loaded.version);
        } else this.#base = { ...this.#base, version: loaded.version };
        this.keepFresh();
      });
    });
  }

  async restoreLate(): Promise<void> {}

  noteReplaced(): void {}

  async refresh(): Promise<void> {
    const isFresh = this.#parts.clock.now() < this.#freshUntil;
    this.#freshUntil = 0;
    if (isFresh || !this.#use.retry()) return;
    await this.#line.run(() =>
      this.#use.orReport('read', async () => {
        const version = await this.#use.within(() => this.#store.version(this.#parts.id));
        if (version !== this.#base.version || this.#isMerged) await this.#takeOver();
        if (this.#isUnsaved) await this.#write();
      }),
    );
  }

  keepFresh(): void {
    this.#freshUntil = this.#parts.clock.now() + freshMs;
  }

  /** Reserves the next page of a model. @returns `null` if another process is asking for one */
  async reserve(): Promise<(() => Promise<void>) | null> {
    const releaseNothing = async (): Promise<void> => undefined;
    if (!this.#use.retry()) return releaseNothing;
    const lease = await this.#use.orReport('write', async () => {
      const release = await this.#use.within(() => this.#store.lease(`compact ${this.#parts.id}`, leaseMs));
      return { release: release && (() => this.#use.within(release)) };
    });
    return lease ? lease.release : releaseNothing;
  }

  async commit(): Promise<boolean> {
    this.#isDeleted = false;
    const write = () => this.#use.orReport('write', () => this.#write());
    const isOurs = this.#use.retry() ? await this.#line.run(write) : null;
    // If the store fails, our state is kept, and written later.
    if (isOurs === null) this.#isUnsaved = true;
    return isOurs ?? true;
  }

  noteAnswered(): void {
    this.#answers++;
    if (this.#answers >= answersPerWrite || importantKey(snapshotOf(this.#parts)) !== this.#base.important)
      void this.save();
  }

  async save(): Promise<void> {
    if (this.#isDeleted) return;
    const write = () => this.#use.orReport('write', () => this.#writeMerged());
    const isSaved = this.#use.retry() && (await this.#line.run(write));
    if (!isSaved) this.#isUnsaved = true;
  }

  delete(): Promise<void> {
    return this.#line.run(async () => {
      this.#isDeleted = true;
      try {
        await this.#use.within(() => this.#stored.delete());
      } catch (error) {
        this.#use.noteFailure('write', error);
        throw error;
      }
      this.#base = baseOf(snapshotOf(this.#parts), null);
      this.#isUnsaved = false;
      this.#isMerged = false;
    });
  }

  idle(): Promise<void> {
    return this.#line.run(async () => undefined);
  }

  /** Writes the state as it is in memory. @returns false if another process was faster, and its state is in memory now */
  async #write(): Promise<boolean> {
    for (let conflicts = 0; conflicts < maxConflicts; conflicts++) {
      if (await this.#swap(snapshotOf(this.#parts))) return true;
      if (!(await this.#takeOver())) {
        const message = `Another process changed the conversation "${this.#parts.id}" at the same moment. Its state is used.`;
        this.#parts.events.publish({ type: 'store-conflict', message });
        return false;
      }
    }
    this.#isUnsaved = true;
    return true;
  }

  /** Writes outside an operation, where the state in memory must not change. @returns false if others were faster */
  async #writeMerged(): Promise<boolean> {
    let snapshot = snapshotOf(this.#parts);
    for (let conflicts = 0; conflicts < maxConflicts; conflicts++) {
      if (await this.#swap(snapshot)) return true;
      const loaded = await this.#use.within(() => this.#stored.read());
      const theirs = this.#read(loaded);
      this.#isDeleted = wasDeleted(this.#base, loaded.version, theirs);
      if (this.#isDeleted) return true;
      const isOurs = !theirs || this.#isOurs(theirs, loaded, snapshot);
      if (theirs) {
        snapshot = isOurs ? mergeSnapshots(snapshot, theirs) : mergeSnapshots(theirs, snapshot);
        this.#isMerged = true;
      }
      this.#base = { ...(theirs ? baseOf(theirs, null) : this.#base), version: loaded.version };
    }
    return false;
  }

  async #swap(snapshot: SessionSnapshot): Promise<boolean> {
    const life = this.#base.version === null ? globalThis.crypto.randomUUID() : this.#base.life;
    const next = { ...snapshot, revision: this.#base.revision + 1, life };
    const version = await this.#use.within(() => this.#stored.swap(JSON.stringify(next), this.#base.version));
    if (version === null) return false;
    this.#base = baseOf(next, version);
    this.#answers = 0;
    this.#isUnsaved = false;
    this.#isDeleted = false;
    return true;
  }

  /** Takes over the stored state, if it is newer. @returns false if the compactions in memory were replaced by others */
  async #takeOver(): Promise<boolean> {
    const loaded = await this.#use.within(() => this.#stored.read());
    const theirs = this.#read(loaded);
    if (wasDeleted(this.#base, loaded.version, theirs)) {
      await replaceDeleted(this.#parts, theirs, this.#isSigned);
      this.#base = baseOf(theirs ?? snapshotOf(this.#parts), loaded.version);
      this.#isUnsaved = false;
      this.#isMerged = false;
      this.#isDeleted = false;
      return false;
    }
    const ours = snapshotOf(this.#parts);
    if (!theirs) {
      // Nothing is stored yet, or it is damaged.
      this.#base = { ...this.#base, version: loaded.version };
      this.#isUnsaved = !this.#parts.compactions.isUntouched;
      return true;
    }
    if (this.#isOurs(theirs, loaded, ours)) {
      const isOlder = theirs.revision! <= this.#base.revision;
      if (!isOlder) await restoreInto(this.#parts, mergeSnapshots(ours, theirs), this.#isSigned);
      this.#isUnsaved ||= isOlder && !loaded.isOwn;
      this.#base = { ...baseOf(theirs, loaded.version), revision: Math.max(theirs.revision!, this.#base.revision) };
      return true;
    }
    const merged = mergeSnapshots(theirs, ours);
    await restoreInto(this.#parts, merged, this.#isSigned);
    this.#base = baseOf(theirs, loaded.version);
    this.#isUnsaved = importantKey(merged) !== this.#base.important;
    this.#isMerged = false;
    return false;
  }

  /** True if the compactions in memory stay in effect. */
  #isOurs(theirs: SessionSnapshot, { isOwn }: Loaded, ours: SessionSnapshot): boolean {
    const { compactions, revision } = this.#base;
    if (this.#isMerged) return false;
    // The store lost its newest writes, or a write of ours ended after its timeout.
    if (theirs.revision! < revision || (isOwn && theirs.revision! <= revision + 1)) return true;
    if (compactionsKey(ours) === compactions) return false;
    if (compactionsKey(theirs) === compactions) return true;
    // Ours was sent while the store was down.
    const ownAt = this.#isUnsaved ? (ours.records.at(-1)?.at ?? 0) : 0;
    return ownAt > theirs.savedAt;
  }

  #read({ body, problem }: Loaded): SessionSnapshot | null {
    const value: unknown = body === null ? null : parseRecord(body);
    const reason = problem ?? (body === null ? null : sessionSnapshotProblem(value, this.#parts.id));
    if (reason !== null) this.#parts.events.publish({ type: 'state-discarded', reason });
    return body === null || reason !== null ? null : { revision: 0, ...(value as SessionSnapshot) };
  }
}
