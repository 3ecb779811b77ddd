import type { Span } from '../finding.ts';
import { isNamePart } from './characters.ts';
import { endAt } from './sticky.ts';

/** Characters of an unquoted value. A pattern is faster than a loop here. */
const RUN = /[^\0- "'`\\<>\xa0]*/y;

const NAME = /[\w.-]*/y;

/** State of one search: the text, the findings so far, and positions that matchers share so that no range is read twice. */
export class SearchState {
  readonly text: string;
  /** True if the names of values are not used as evidence. */
  readonly skipNames: boolean;
  readonly spans: Span[] = [];
  /** Index of the last occurrence of each command (`curl`, `mysql`), for flags that have a meaning only after it. */
  readonly commands: Map<string, number> = new Map();
  /** Index up to which a rule or matcher has already searched, by its name. */
  readonly searched: Map<string, number> = new Map();
  /** Matchers that judge values by their context skip everything before this index. */
  decidedTo = 0;
  /** Index up to which rows of SQL `INSERT` statements were read. */
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

  /** Index of the next `literal` at or after `from`, or the length of the text. Remembers the last answer per literal. */
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

  /** End of the unquoted value that contains `from`: it stops at white space, quotes, backslashes and angle brackets. */
  runEnd(from: number): number {
    if (from >= this.#runFrom && from < this.#runTo) return this.#runTo;
    this.#runFrom = from;
    this.#runTo = endAt(RUN, this.text, from);
    return this.#runTo;
  }

  /** Bounds of the name (letters, digits, `_`, `-`, `.`) that contains `at`. */
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
