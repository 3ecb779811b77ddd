import type { Span } from '../finding.ts';
import { isNamePart, isWord } from './characters.ts';
import { endAt, startsAt } from './sticky.ts';

/** Characters of an unquoted value. A pattern is faster than a loop here. */
const runPattern = /[^\0- "'`\\<>\xa0]*/y;

const namePattern = /[\w.-]*/y;

/** A run of characters of one class. */
interface Run {
  readonly from: number;
  readonly to: number;
  readonly last: number;
  /** How many tokens were looked for in it in vain. */
  failures: number;
}

/** True for a character that may end a token: others are punctuation after it. */
const isTokenEnd = (code: number): boolean => isWord(code) || code === 61;

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
  readonly #characters = new Map<RegExp, Run>();
  readonly #ranges = new Map<RegExp, { readonly from: number; readonly to: number }>();
  readonly #attempts = new Map<string, { readonly place: number; readonly count: number }>();
  readonly #ends = new Map<RegExp, { readonly at: number; readonly end: number }>();
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

  /** Adds a finding. @param found its `weight` is 1 by default */
  report({ kind, start, end, weight = 1, mask }: Omit<Span, 'weight'> & { readonly weight?: number }): void {
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
    this.#runTo = endAt(runPattern, this.text, from);
    return this.#runTo;
  }

  /**
   * The run of `characters` that contains `from`, which is read once however many tokens may begin in it. Its `last` ends
   * before trailing punctuation.
   * @param characters a sticky pattern for any number of characters of one class
   */
  charactersFrom(characters: RegExp, from: number): Run {
    const known = this.#characters.get(characters);
    if (known && from >= known.from && from < known.to) return known;
    const to = endAt(characters, this.text, from);
    let last = to;
    while (last > from && !isTokenEnd(this.text.charCodeAt(last - 1))) last -= 1;
    const run = { from, to, last, failures: 0 };
    this.#characters.set(characters, run);
    return run;
  }

  /**
   * End of what a sticky pattern matches from an index on: characters that are judged one by one, at most `most` of them. The
   * next indices in the same range get the same end, or a later one.
   */
  endOf(pattern: RegExp, from: number, max: number): number {
    const known = this.#ranges.get(pattern);
    const isKnown = known !== undefined && from >= known.from && from < known.to;
    if (isKnown && (known.to - known.from < max || known.to - from > max / 2)) return known.to;
    const to = endAt(pattern, this.text, from);
    this.#ranges.set(pattern, { from, to });
    return to;
  }

  /** Counts attempts at one place of the text. @returns false after `most` of them */
  mayTryAgain(name: string, place: number, max: number): boolean {
    const known = this.#attempts.get(name);
    const count = known?.place === place ? known.count + 1 : 1;
    this.#attempts.set(name, { place, count });
    return count <= max;
  }

  /** End of a sticky pattern's match at an index, or -1. The answer for one index per pattern is remembered. */
  matchEnd(pattern: RegExp, at: number): number {
    const known = this.#ends.get(pattern);
    if (known?.at === at) return known.end;
    const end = startsAt(pattern, this.text, at) ? pattern.lastIndex : -1;
    this.#ends.set(pattern, { at, end });
    return end;
  }

  /** Bounds of the name (letters, digits, `_`, `-`, `.`) that contains `at`. */
  nameAround(at: number): readonly [start: number, end: number] {
    if (at < this.#nameFrom || at >= this.#nameTo) {
      const { text } = this;
      let start = at;
      while (start > 0 && isNamePart(text.charCodeAt(start - 1))) start -= 1;
      this.#nameFrom = start;
      this.#nameTo = endAt(namePattern, text, at);
    }
    return [this.#nameFrom, this.#nameTo];
  }
}
