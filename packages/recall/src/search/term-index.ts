import { TermTable } from './term-table.ts';
import { eachTerm } from './terms.ts';
import { codesOf } from './text-codes.ts';

/** Maximum count of a term in one text. More repetitions add no information. */
const maxCounted = 15;
const countBits = 4;
/** Parameters of BM25+: saturation of repetitions, weight of the length, lower bound. */
const saturation = 1.2;
const lengthWeight = 0.7;
const lowerBound = 0.5;
/** Maximum number of terms in a query. Longer queries are data, and the rest is ignored. */
const maxQueryTerms = 64;

/** Growth factor of the posting list. A larger factor would leave more memory unused. */
const growth = 1.15;
/**
 * Terms and numbers in the posting list per character: the low end of what transcripts have. Arrays that start so are
 * replaced less often while an index is built. With a large heap, each one that is replaced brings a collection nearer.
 */
const termsPerCharacter = 0.008;
const postingNumbersPerCharacter = 0.1;

/**
 * A full-text index in typed arrays, ranked with BM25+. Texts are numbered in the order of `add`. A posting says how
 * often a text contains a term. The only posting of a term is stored in the table of terms, because most terms of dense
 * text occur once. A second one moves both to a list, where each posting links to the previous one of the same term.
 * Adding a text takes time linear in its length.
 */
export class TermIndex {
  readonly #terms: TermTable;
  /** Pairs: a posting, and the index of the previous one of its term (-1 for none). */
  #postings: Int32Array;
  #postingsEnd = 0;
  /** Number of terms in each text; 0 for a removed one. */
  #lengths: Uint16Array = new Uint16Array(64);
  #texts = 0;
  /** Of the text that is being added. */
  #codes: Uint16Array = new Uint16Array(0);
  #live = 0;
  #liveLength = 0;

  /** @param characters expected length of all texts */
  constructor(characters = 0) {
    this.#terms = new TermTable(characters * termsPerCharacter);
    this.#postings = new Int32Array(Math.max(1024, 2 * Math.ceil((characters * postingNumbersPerCharacter) / 2)));
  }

  /** Number of texts that can be found. */
  get size(): number {
    return this.#live;
  }

  /** Number of texts that were removed and still take space. */
  get removed(): number {
    return this.#texts - this.#live;
  }

  /** Size in bytes. */
  get bytes(): number {
    return this.#terms.bytes + this.#postings.byteLength + this.#lengths.byteLength;
  }

  /** Adds `text[from, to)`. @returns its number */
  add(text: string, from = 0, to: number = text.length): number {
    const id = this.#texts++;
    const codes = (this.#codes = codesOf(text, from, to, this.#codes));
    let length = 0;
    eachTerm(codes, to - from, (start, end) => {
      length++;
      this.#post(this.#terms.add(codes, start, end), id);
    });
    if (id >= this.#lengths.length) this.#lengths = copyInto(this.#lengths, new Uint16Array(id * 2));
    this.#lengths[id] = Math.min(Math.max(length, 1), 0xffff);
    this.#live++;
    this.#liveLength += this.#lengths[id]!;
    return id;
  }

  /** Removes a text. Its postings stay until the index is rebuilt. */
  remove(id: number): void {
    const length = this.#lengths[id] ?? 0;
    if (length === 0) return;
    this.#lengths[id] = 0;
    this.#live--;
    this.#liveLength -= length;
  }

  /** Returns the score of each text, by its number; 0 for texts without a term of the query. */
  search(query: string): Float32Array {
    const scores = new Float32Array(this.#texts);
    const matched = new Uint8Array(this.#texts);
    const terms = this.#queryTerms(query);
    const average = this.#liveLength / Math.max(1, this.#live);
    for (const term of terms) {
      const found = this.#postingsOf(term);
      const rarity = Math.log(1 + (this.#live - found.length + 0.5) / (found.length + 0.5));
      for (const posting of found) {
        const id = posting >>> countBits;
        const times = posting & maxCounted;
        const norm = 1 - lengthWeight + (lengthWeight * this.#lengths[id]!) / average;
        scores[id]! += rarity * (lowerBound + (times * (saturation + 1)) / (times + saturation * norm));
        matched[id]!++;
      }
    }
    // A text with many terms of the query is better than one that repeats a single term.
    for (let id = 0; id < scores.length; id++) if (matched[id]! > 1) scores[id]! *= matched[id]!;
    return scores;
  }

  #post(term: number, id: number): void {
    const value = this.#terms.value(term);
    const newest = value < 0 ? -value : value > 0 ? this.#postings[value - 1]! : 0;
    if (value !== 0 && newest >>> countBits === id) {
      if ((newest & maxCounted) === maxCounted) return;
      if (value < 0) this.#terms.setValue(term, value - 1);
      else this.#postings[value - 1]!++;
      return;
    }
    const posting = (id << countBits) | 1;
    if (value === 0) {
      this.#terms.setValue(term, -posting);
      return;
    }
    const before = value < 0 ? this.#append(newest, -1) : value - 1;
    this.#terms.setValue(term, this.#append(posting, before) + 1);
  }

  /** @returns where the posting is */
  #append(posting: number, before: number): number {
    const at = this.#postingsEnd;
    if (at + 2 > this.#postings.length)
      this.#postings = copyInto(this.#postings, new Int32Array(Math.ceil((at * growth) / 2) * 2));
    this.#postings[at] = posting;
    this.#postings[at + 1] = before;
    this.#postingsEnd = at + 2;
    return at;
  }

  /** The postings of a term in texts that were not removed. */
  #postingsOf(term: number): number[] {
    const found: number[] = [];
    const add = (posting: number): void => {
      if (this.#lengths[posting >>> countBits] !== 0) found.push(posting);
    };
    const value = this.#terms.value(term);
    if (value < 0) add(-value);
    else for (let at = value - 1; at >= 0; at = this.#postings[at + 1]!) add(this.#postings[at]!);
    return found;
  }

  /** The known terms of a query. */
  #queryTerms(query: string): ReadonlySet<number> {
    const terms = new Set<number>();
    const codes = codesOf(query);
    eachTerm(codes, query.length, (from, to) => {
      const term = terms.size < maxQueryTerms ? this.#terms.find(codes, from, to) : -1;
      if (term >= 0) terms.add(term);
    });
    return terms;
  }
}

function copyInto<Numbers extends Int32Array | Uint16Array>(numbers: Numbers, larger: Numbers): Numbers {
  larger.set(numbers);
  return larger;
}
