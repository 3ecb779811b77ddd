/** Writes the newest state, one write at a time; what comes while one runs replaces what waits. */
export class StateWriter {
  readonly #write: () => Promise<void>;
  #running: Promise<void> | null = null;
  #again = false;

  /** @param write takes the state as it is when called; must not reject */
  constructor(write: () => Promise<void>) {
    this.#write = write;
  }

  /** Resolves when the state as of now, or a newer one, has been written. */
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

  /** Resolves when nothing is being written any more. */
  async idle(): Promise<void> {
    while (this.#running) await this.#running;
  }
}
