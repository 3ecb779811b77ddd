import { isNamePart } from './characters.ts';
import type { Span } from './finding.ts';
import { endAt } from './sticky.ts';

/** What does not end a run; a pattern walks faster than a loop. */
const RUN = /[^\0- "'`\\<>\xa0]*/y;

const NAME = /[\w.-]*/y;

/** One text being searched: what matchers share about it, so that no stretch of it is walked twice. */
export class Source {
  readonly text: string;
  /** True: names beside values are no evidence here. */
  readonly skipNames: boolean;
  readonly spans: Span[] = [];
  /** Where the last hit of each command word stands (`curl`, `mysql`), for flags that mean something only after it. */
  readonly commands: Map<string, number> = new Map();
  /** How far each user rule has searched. */
  readonly searched: Map<string, number> = new Map();
  /** What lies before this index is decided: matchers that guess from names leave it alone. */
  decidedTo = 0;
  /** Index up to which the rows of SQL `INSERT` statements were read. */
  insertsTo = 0;
  readonly #next = new Map<string, { from: number; at: number }>();
  #runFrom = 0;
  #runTo = 0;
  #lineFrom = 0;
  #lineTo = -1;
  #nameFrom = 0;
  #nameTo = 0;

  constructor(text: string, skipNames: boolean) {
    this.text = text;
    this.skipNames = skipNames;
  }

  report(
    kind: string,
    start: number,
    end: number,
    weight: number,
    mask?: ((secret: string) => string) | undefined,
  ): void {
    if (end <= start) return;
    this.spans.push({ kind, start, end, weight, mask });
    if (end > this.decidedTo) this.decidedTo = end;
  }

  /** Index of the next `literal` at or after `from`, or the text's length. */
  next(literal: string, from: number): number {
    let known = this.#next.get(literal);
    if (!known) this.#next.set(literal, (known = { from, at: -1 }));
    if (known.from <= from && known.at >= from) return known.at;
    const found = this.text.indexOf(literal, from);
    known.from = from;
    known.at = found < 0 ? this.text.length : found;
    return known.at;
  }

  /**
   * Start of the command line that contains `at`, including previous lines that end with a backslash. `at` must not
   * decrease between calls.
   */
  commandStart(at: number): number {
    while (this.#lineTo < at) {
      if (this.#lineTo >= 0 && this.text[this.#lineTo - 1] !== '\\') this.#lineFrom = this.#lineTo + 1;
      const next = this.text.indexOf('\n', this.#lineTo + 1);
      this.#lineTo = next < 0 ? this.text.length : next;
    }
    return this.#lineFrom;
  }

  /** End of the bare value that holds `from`: no white space, quote, backslash or angle bracket. */
  runEnd(from: number): number {
    if (from >= this.#runFrom && from < this.#runTo) return this.#runTo;
    this.#runFrom = from;
    this.#runTo = endAt(RUN, this.text, from);
    return this.#runTo;
  }

  /** Bounds of the name (letters, digits, `_`, `-`, `.`) that holds `at`. */
  nameAround(at: number): readonly [start: number, end: number] {
    if (at < this.#nameFrom || at >= this.#nameTo) {
      const { text } = this;
      let start = at;
      while (start > 0 && isNamePart(text.charCodeAt(start - 1))) start -= 1;
      this.#nameFrom = start;
      this.#nameTo = endAt(NAME, text, at);
    }
    return [this.#nameFrom, this.#nameTo];
  }
}
