import type { CompactionRecord } from '../events/compaction-record.ts';

/** Number of records kept. */
const maxRecords = 100;

/** Numbers the compactions of a session and keeps a record of each. */
export class CompactionLog {
  #records: readonly CompactionRecord[] = [];
  #next = 1;
  #cachedShare: number | null = null;

  /** Newest last. */
  get records(): readonly CompactionRecord[] {
    return this.#records;
  }

  /** Number of the next compaction. */
  get next(): number {
    return this.#next;
  }

  /** Number of the last recorded compaction, or `null`. */
  get last(): number | null {
    return this.#records.at(-1)?.number ?? null;
  }

  /** Cached share of the last answered prompt; `null` when the provider did not report it. */
  get cachedShare(): number | null {
    return this.#cachedShare;
  }

  has(number: number): boolean {
    return this.#records.some((record) => record.number === number);
  }

  /** Takes the next number. */
  takeNumber(): number {
    return this.#next++;
  }

  add(record: CompactionRecord): void {
    this.#records = [...this.#records, record].slice(-maxRecords);
  }

  change(number: number, fields: Partial<CompactionRecord>): void {
    this.#records = this.#records.map((record) => (record.number === number ? { ...record, ...fields } : record));
  }

  /**
   * Records the cached share of an answered prompt.
   * @param checkpoint number of the checkpoint the prompt was made with; `null` without one
   */
  noteCachedShare(share: number | null, checkpoint: number | null): void {
    this.#cachedShare = share;
    const record = this.#records.find(({ number }) => number === checkpoint);
    if (record?.cachedShareAfter === null) this.change(record.number, { cachedShareAfter: share });
  }

  forgetCachedShare(): void {
    this.#cachedShare = null;
  }

  /** Forgets everything. */
  clear(): void {
    this.restore([], 1);
    this.forgetCachedShare();
  }

  restore(records: readonly CompactionRecord[], next: number): void {
    this.#records = records;
    this.#next = records.reduce((most, { number }) => Math.max(most, number + 1), Math.max(next, 1));
  }
}
