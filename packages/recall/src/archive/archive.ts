import type { Clock, Message } from '@palimpsest/core';
import { checksum } from '@palimpsest/core/authoring';
import type { ArchivedText } from '../hidden/hidden-index.ts';
import { eachHidden, type HiddenText, type Projection } from '../hidden/hidden-text.ts';
import { refOf } from '../hidden/ref.ts';
import { CheckedStore, failed } from './checked-store.ts';
import type { ArchiveOptions, KeyValueStorage, RecallEvent } from './key-value-storage.ts';

/** Dependencies and options of {@link Archive}. */
export interface ArchiveServices {
  readonly sessionId: string;
  readonly redact: (text: string) => string;
  readonly clock: Clock;
  readonly emit: (event: RecallEvent) => void;
  readonly store: KeyValueStorage | undefined;
  readonly bounds: ArchiveOptions;
}

type Kept = ArchiveRecord & ArchivedText;

const defaultMaxCharacters = 10_000_000;
const defaultMaxAgeMs = 30 * 24 * 3600 * 1000;
const defaultDeadlineMs = 2000;
/** Maximum number of concurrent store operations. */
const maxConcurrent = 16;

/** Masked texts that were removed from the history, in memory and in a store. */
export class Archive {
  /** Maps the ref of an unmasked text to the ref of its masked copy. */
  readonly aliases: Map<string, string> = new Map();
  readonly #services: ArchiveServices;
  readonly #store: CheckedStore | null;
  readonly #base: string;
  readonly #maxCharacters: number;
  readonly #maxAgeMs: number;
  /** By ref, oldest first. */
  readonly #kept: Map<string, Kept> = new Map();
  #characters = 0;
  #loading: Promise<boolean> | null = null;
  #isIncomplete = false;

  constructor(services: ArchiveServices) {
    const { store, bounds, sessionId } = services;
    this.#services = services;
    this.#maxCharacters = bounds.maxCharacters ?? defaultMaxCharacters;
    this.#maxAgeMs = bounds.maxAgeMs ?? defaultMaxAgeMs;
    const deadlineMs = bounds.deadlineMs ?? defaultDeadlineMs;
    this.#store = store ? new CheckedStore(store, { ...services, deadlineMs }) : null;
    // Two ids may have the same checksum, so each record contains its id.
    this.#base = `palimpsest:recall:${checksum(sessionId)}`;
  }

  /** True when a part of the store could not be read. */
  get isIncomplete(): boolean {
    return this.#isIncomplete;
  }

  texts(): Iterable<ArchivedText> {
    this.#removeOld();
    return this.#kept.values();
  }

  /** Reads the store once, and again after a failure. @returns true if this call read it */
  load(): Promise<boolean> {
    if (!this.#store) return Promise.resolve(false);
    const first = this.#loading === null;
    this.#loading ??= this.#read(this.#store);
    return this.#loading.then((isComplete) => {
      this.#isIncomplete = !isComplete;
      if (!isComplete) this.#loading = null;
      return first;
    });
  }

  /** Archives the hidden texts of messages, in memory and in the store. */
  async keep(messages: readonly Message[], projection: Projection | null): Promise<void> {
    const added: Kept[] = [];
    eachHidden(messages, projection, (texts) => {
      for (const text of texts) added.push(this.#mask(text));
    });
    for (const kept of added) this.#add(kept);
    const removed = this.#removeSurplus();
    const written = added.filter((kept) => this.#kept.get(refOf(kept.sessionId, kept)) === kept);
    await eachOf(written, (kept) => this.#store?.write(this.#key(kept), writeRecord(plainRecord(kept))));
    await eachOf(removed, (kept) => this.#store?.remove(this.#key(kept)));
  }

  async clear(): Promise<void> {
    await this.load();
    const all = [...this.#kept.values()];
    this.#kept.clear();
    this.aliases.clear();
    this.#characters = 0;
    await eachOf(all, (kept) => this.#store?.remove(this.#key(kept)));
  }

  #mask(text: HiddenText): Kept {
    const { sessionId, redact, clock } = this.#services;
    const originalRef = refOf(sessionId, text);
    const masked = { tool: redact(text.tool), head: redact(text.head), text: redact(text.text) };
    const ref = refOf(sessionId, masked);
    if (ref !== originalRef) this.aliases.set(originalRef, ref);
    return { ...masked, sessionId, keptAt: clock.now(), originalRef };
  }

  #add(kept: Kept): void {
    const ref = refOf(kept.sessionId, kept);
    this.#characters += kept.text.length - (this.#kept.get(ref)?.text.length ?? 0);
    // A text that is archived again becomes the newest.
    this.#kept.delete(ref);
    this.#kept.set(ref, kept);
  }

  #removeSurplus(): readonly Kept[] {
    const removed: Kept[] = [];
    for (const [ref, kept] of this.#kept) {
      if (this.#characters <= this.#maxCharacters) break;
      this.#drop(ref, kept);
      removed.push(kept);
    }
    const { emit } = this.#services;
    if (removed.length > 0)
      emit({ type: 'recall-archive-full', removedTexts: removed.length, maxCharacters: this.#maxCharacters });
    return removed;
  }

  #removeOld(): void {
    const oldest = this.#services.clock.now() - this.#maxAgeMs;
    for (const [ref, kept] of this.#kept) if (kept.keptAt < oldest) this.#drop(ref, kept);
  }

  #drop(ref: string, kept: Kept): void {
    this.#kept.delete(ref);
    this.#characters -= kept.text.length;
    if (kept.originalRef !== undefined) this.aliases.delete(kept.originalRef);
  }

  /** @returns false when a part could not be read */
  async #read(store: CheckedStore): Promise<boolean> {
    const keys = await store.keys(this.#base);
    if (keys === failed) return false;
    const { sessionId, clock, emit } = this.#services;
    const oldest = clock.now() - this.#maxAgeMs;
    const records: ArchiveRecord[] = [];
    let isComplete = true;
    await eachOf(keys, async (key) => {
      // After a failure the rest is skipped: a slow store would delay the answer for long.
      const value = isComplete ? await store.read(key) : failed;
      if (value === failed) {
        isComplete = false;
        return;
      }
      const record = readRecord(value);
      if (record === null) return;
      if (record === 'damaged') emit({ type: 'recall-text-rejected', reason: 'damaged' });
      else if (record.sessionId !== sessionId) emit({ type: 'recall-text-rejected', reason: 'foreign' });
      else if (!key.endsWith(refOf(sessionId, record))) emit({ type: 'recall-text-rejected', reason: 'damaged' });
      else if (record.keptAt < oldest) {
        emit({ type: 'recall-text-rejected', reason: 'expired' });
        await store.remove(key);
      } else records.push(record);
    });
    // Texts that were kept while the store could not be read are newer.
    const newer = [...this.#kept.values()];
    records.sort((one, other) => one.keptAt - other.keptAt);
    for (const kept of [...records, ...newer]) this.#add(kept);
    const removed = this.#removeSurplus();
    await eachOf(removed, (kept) => store.remove(this.#key(kept)));
    return isComplete;
  }

  #key(kept: HiddenText): string {
    return `${this.#base}:${refOf(this.#services.sessionId, kept)}`;
  }
}

/** Leaves out the original ref: a hash of the unmasked text could confirm a guess at a secret. */
function plainRecord({ tool, head, text, sessionId, keptAt }: Kept): ArchiveRecord {
  return { tool, head, text, sessionId, keptAt };
}

/** Runs a task for each item, at most {@link maxConcurrent} at a time. */
async function eachOf<Item>(items: readonly Item[], task: (item: Item) => unknown): Promise<void> {
  const queue = items.values();
  await Promise.all(
    Array.from({ length: maxConcurrent }, async () => {
      for (const item of queue) await task(item);
    }),
  );
}

/** A text as it is stored, with secrets masked. */
interface ArchiveRecord extends HiddenText {
  readonly sessionId: string;
  /** Milliseconds since the epoch. */
  readonly keptAt: number;
}

const head: RegExp = /^palimpsest-recall\/1 (\d{1,12}) ([0-9a-f]{8})\n/;

/** Formats a record with its length and checksum, to detect missing or changed characters. */
function writeRecord(record: ArchiveRecord): string {
  const body = JSON.stringify(record);
  return `palimpsest-recall/1 ${body.length} ${checksum(body)}\n${body}`;
}

/** Reads a record: `null` if nothing is stored, `damaged` for anything that {@link writeRecord} did not write. */
function readRecord(value: unknown): ArchiveRecord | 'damaged' | null {
  if (value === null || value === undefined) return null;
  if (typeof value !== 'string') return 'damaged';
  const found = head.exec(value);
  const body = found ? value.slice(found[0].length) : '';
  if (!found || body.length !== Number(found[1]) || checksum(body) !== found[2]) return 'damaged';
  try {
    const record = JSON.parse(body) as ArchiveRecord;
    const texts = [record.sessionId, record.tool, record.head, record.text];
    return texts.every((text) => typeof text === 'string') && Number.isFinite(record.keptAt) ? record : 'damaged';
  } catch {
    return 'damaged';
  }
}
