/**
 * Writes the newest state, one write at a time. All calls of `save` during a write share the next one, which queue
 * libraries do not offer.
 */
export class StateWriter {
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
