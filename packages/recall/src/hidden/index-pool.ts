/** Registration of one index in an {@link IndexPool}. */
export interface IndexLease {
  /** Reports a use of the index, and its size in bytes. 0 ends the registration. */
  reportUse(bytes: number): void;
}

/** Limits the memory of the indexes of all sessions in a process. The least recently used index is dropped first. */
export class IndexPool {
  readonly #maxBytes: number;
  /** By lease, oldest use first. */
  readonly #leases: Map<IndexLease, { readonly bytes: number; readonly drop: () => void }> = new Map();
  #bytes = 0;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  /** Size of all indexes in bytes. */
  get bytes(): number {
    return this.#bytes;
  }

  /** @param drop called to drop the index, which is rebuilt at its next use */
  lease(drop: () => void): IndexLease {
    const lease: IndexLease = {
      reportUse: (bytes) => {
        this.#remove(lease);
        if (bytes === 0) return;
        this.#leases.set(lease, { bytes, drop });
        this.#bytes += bytes;
        this.#dropOldest(lease);
      },
    };
    return lease;
  }

  #remove(lease: IndexLease): void {
    this.#bytes -= this.#leases.get(lease)?.bytes ?? 0;
    this.#leases.delete(lease);
  }

  /** An index that exceeds the limit alone stays until another one is used. */
  #dropOldest(newest: IndexLease): void {
    for (const [lease, { drop }] of this.#leases) {
      if (this.#bytes <= this.#maxBytes || lease === newest) return;
      this.#remove(lease);
      drop();
    }
  }
}

/** The pool of this process. */
export const sharedIndexes: IndexPool = new IndexPool(64_000_000);
