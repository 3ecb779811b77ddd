/** V8 hashes up to 16,383 characters of a text, and remembers that hash with it; longer texts would collide by length. */
const piece = 16_000;
/** So many texts of one length are compared one by one, which for most lengths is none. */
const compared = 4;

/** A set of long texts that hardly looks into them: what has a length of its own is in or out by that alone. Linear. */
export class TextSet {
  readonly #byLength = new Map<number, string[]>();
  /** Names of the texts of which there are many of one length. */
  readonly #named = new Set<string | number>();
  readonly #names = new Map<string, number>();

  has(text: string): boolean {
    const alike = this.#byLength.get(text.length);
    if (alike === undefined) return false;
    return alike.length <= compared ? alike.includes(text) : this.#named.has(this.#nameOf(text));
  }

  add(text: string): void {
    const alike = this.#byLength.get(text.length);
    if (alike === undefined) this.#byLength.set(text.length, [text]);
    else if (alike.push(text) === compared + 1) for (const one of alike) this.#named.add(this.#nameOf(one));
    else if (alike.length > compared) this.#named.add(this.#nameOf(text));
  }

  /** Equal for equal texts; a long text is named by its pieces, each of which the engine hashes natively. */
  #nameOf(text: string): string | number {
    if (text.length <= piece) return this.#numberOf(text);
    let name = '';
    for (let from = 0; from < text.length; from += piece) name += `${this.#numberOf(text.slice(from, from + piece))},`;
    return name;
  }

  #numberOf(part: string): number {
    const known = this.#names.get(part) ?? this.#names.size;
    this.#names.set(part, known);
    return known;
  }
}
