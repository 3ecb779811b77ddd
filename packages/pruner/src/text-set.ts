/** V8 hashes up to 16,383 characters of a text, and remembers that hash with it; longer texts would collide by length. */
const piece = 16_000;
/** So many texts that look alike are compared one by one. */
const compared = 4;

/** A text, with what is known of it so that it need not be loaded to be told apart. */
export interface SampledText {
  readonly text: string;
  /** Its characters. */
  readonly length: number;
  /** Set here: equal for equal texts. */
  sample: number | undefined;
  /** Set here: another text it was found equal to. */
  twin: string | undefined;
}

/** A set of long texts that hardly looks into them: one that differs in length or at a few places is another. Linear. */
export class TextSet {
  readonly #lengths = new Set<number>();
  readonly #alike = new Map<number, string[]>();
  /** Names of the texts of which too many look alike. */
  readonly #named = new Set<string | number>();
  readonly #names = new Map<string, number>();

  /** False when no text of this length is in the set: told without the text. */
  mayHave(length: number): boolean {
    return this.#lengths.has(length);
  }

  has(text: SampledText): boolean {
    if (!this.mayHave(text.length)) return false;
    const alike = this.#alike.get(sampleOf(text));
    if (alike === undefined) return false;
    if (alike.length > compared) return this.#named.has(this.#nameOf(text.text));
    const { twin } = text;
    if (twin !== undefined && alike.some((one) => Object.is(one, twin))) return true;
    const found = alike.find((one) => one === text.text);
    text.twin = found;
    return found !== undefined;
  }

  add(sampled: SampledText): void {
    const { text, length } = sampled;
    this.#lengths.add(length);
    const sample = sampleOf(sampled);
    const alike = this.#alike.get(sample);
    if (alike === undefined) this.#alike.set(sample, [text]);
    else if (alike.push(text) > compared)
      for (const one of alike.length === compared + 1 ? alike : [text]) this.#named.add(this.#nameOf(one));
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

/** Equal for equal texts, and cheap: made of the length and a few characters all over the text. */
function sampleOf(sampled: SampledText): number {
  if (sampled.sample !== undefined) return sampled.sample;
  const { text, length } = sampled;
  const step = Math.max(1, Math.floor(length / 24));
  let sample = length;
  for (let at = step >> 1; at < length; at += step) sample = Math.imul(sample, 31) + text.charCodeAt(at);
  sampled.sample = sample | 0;
  return sampled.sample;
}
