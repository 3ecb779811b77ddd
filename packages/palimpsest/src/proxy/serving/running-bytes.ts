/** The bytes of the bodies that are in memory. */
export class RunningBytes {
  readonly #max: number;
  #all = 0;

  constructor(max: number) {
    this.#max = max;
  }

  /** Counts the bytes of one body. */
  body(): BodyBytes {
    let own = 0;
    return {
      add: (bytes) => {
        // A body that is larger than the limit passes while it is alone.
        if (this.#all > own && this.#all + bytes > this.#max) return false;
        own += bytes;
        this.#all += bytes;
        return true;
      },
      release: () => {
        this.#all -= own;
        own = 0;
      },
    };
  }
}

/** The bytes of one body. */
export interface BodyBytes {
  /** Counts bytes that have arrived. @returns false if there is no room for them */
  add(bytes: number): boolean;
  /** Called when they are no longer in memory. */
  release(): void;
}
