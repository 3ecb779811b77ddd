/** The right of one index to stay in memory. */
export interface IndexLease {
  /** Reports a use of the index, and how many characters of text are indexed now. */
  used(characters: number): void;
}

/** Limits the memory of the indexes of all sessions in a process. The index that was used longest ago is dropped first. */
export class IndexPool {
  readonly #maxCharacters: number;
  /** By lease, oldest use first. */
  readonly #leases: Map<IndexLease, { readonly characters: number; readonly drop: () => void }> = new Map();
  #characters = 0;

  constructor(maxCharacters: number) {
    this.#maxCharacters = maxCharacters;
  }

  /** Characters that are indexed now. */
  get characters(): number {
    return this.#characters;
  }

  /** @param drop called when the index has to go. It is built again at its next use */
  lease(drop: () => void): IndexLease {
    const lease: IndexLease = {
      used: (characters) => {
        this.#remove(lease);
        if (characters === 0) return;
        this.#leases.set(lease, { characters, drop });
        this.#characters += characters;
        this.#dropOldest(lease);
      },
    };
    return lease;
  }

  #remove(lease: IndexLease): void {
    this.#characters -= this.#leases.get(lease)?.characters ?? 0;
    this.#leases.delete(lease);
  }

  /** An index that is too large alone stays until another one is used. */
  #dropOldest(newest: IndexLease): void {
    for (const [lease, { drop }] of this.#leases) {
      if (this.#characters <= this.#maxCharacters || lease === newest) return;
      this.#remove(lease);
      drop();
    }
  }
}

/** The indexes of this process. An index takes about as much memory as its text. */
export const sharedIndexes: IndexPool = new IndexPool(40_000_000);
