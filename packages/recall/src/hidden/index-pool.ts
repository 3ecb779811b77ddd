/** The right of one index to stay in memory. */
export interface IndexLease {
  /** Reports a use of the index, and the memory of the index. 0 gives up the right. */
  used(bytes: number): void;
}

/** Limits the memory of the indexes of all sessions in a process. The index that was used longest ago is dropped first. */
export class IndexPool {
  readonly #maxBytes: number;
  /** By lease, oldest use first. */
  readonly #leases: Map<IndexLease, { readonly bytes: number; readonly drop: () => void }> = new Map();
  #bytes = 0;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  /** Memory of all indexes. */
  get bytes(): number {
    return this.#bytes;
  }

  /** @param drop called when the index has to go. It is built again at its next use */
  lease(drop: () => void): IndexLease {
    const lease: IndexLease = {
      used: (bytes) => {
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

  /** An index that is too large alone stays until another one is used. */
  #dropOldest(newest: IndexLease): void {
    for (const [lease, { drop }] of this.#leases) {
      if (this.#bytes <= this.#maxBytes || lease === newest) return;
      this.#remove(lease);
      drop();
    }
  }
}

/** The indexes of this process. */
export const sharedIndexes: IndexPool = new IndexPool(64_000_000);
