/** Between the texts of several answers in one message. */
export const textGap = '\n\n';

/** Separates the texts of several answers that are shown as one stream. */
export class TextGaps {
  #isDue = false;
  #hasText = false;

  /** Begins the next answer. */
  next(): void {
    this.#isDue = this.#hasText;
  }

  /** What to write before a text: nothing, or a gap if it is the first one of an answer and an earlier answer had text. */
  before(): string {
    const gap = this.#isDue ? textGap : '';
    this.#isDue = false;
    this.#hasText = true;
    return gap;
  }
}
