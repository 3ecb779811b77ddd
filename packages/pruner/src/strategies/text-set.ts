/** V8 hashes strings of up to 16,383 characters by their text, and longer strings by their length alone. */
const longestHashed = 16_000;

/**
 * A set of texts with linear cost for any input. In a plain `Set`, long texts of the same length would collide and be
 * compared one by one.
 */
export class TextSet {
  readonly #lengths = new Set<number>();
  readonly #short = new Set<string>();
  /** Long texts, each stored as the numbers of its pieces. */
  readonly #long = new Set<string>();
  readonly #pieces = new Map<string, number>();

  has(text: string): boolean {
    if (!this.#lengths.has(text.length)) return false;
    return text.length <= longestHashed ? this.#short.has(text) : this.#long.has(this.#numbersOf(text));
  }

  add(text: string): void {
    this.#lengths.add(text.length);
    if (text.length <= longestHashed) this.#short.add(text);
    else this.#long.add(this.#numbersOf(text));
  }

  #numbersOf(text: string): string {
    const numbers: number[] = [];
    for (let from = 0; from < text.length; from += longestHashed) {
      const piece = text.slice(from, from + longestHashed);
      const number = this.#pieces.get(piece) ?? this.#pieces.size;
      this.#pieces.set(piece, number);
      numbers.push(number);
    }
    return numbers.join();
  }
}
