import { TermTable } from './term-table.ts';
import { eachTerm } from './terms.ts';

/** A term counts at most this often in one text: more repetitions say nothing more. */
const mostCounted = 15;
const countBits = 4;
/** Parameters of BM25+: saturation of repetitions, weight of the length, lower bound. */
const saturation = 1.2;
const lengthWeight = 0.7;
const lowerBound = 0.5;
/** Longer queries are data. The rest is not searched for. */
const mostQueryTerms = 64;

/**
 * A full-text index in typed arrays, ranked with BM25+. Texts have numbers, in the order of `add`. Each posting is
 * linked to the one before it with the same term, so that a text is added in time linear in its length. It takes 8 bytes
 * a posting; the maps of a general library take about 40, more than the text itself.
 */
export class TermIndex {
  readonly #terms: TermTable = new TermTable();
  /** Pairs: the text and how often it has the term; the posting before. */
  #postings: Int32Array = new Int32Array(1024);
  #postingsEnd = 0;
  /** Number of terms in each text; 0 for a removed one. */
  #lengths: Uint16Array = new Uint16Array(64);
  #texts = 0;
  #live = 0;
  #liveLength = 0;

  /** Number of texts that can be found. */
  get size(): number {
    return this.#live;
  }

  /** Number of texts that were removed and still take space. */
  get removed(): number {
    return this.#texts - this.#live;
  }

  /** Adds `text[from, to)`. @returns its number */
  add(text: string, from = 0, to: number = text.length): number {
    const id = this.#texts++;
    let length = 0;
    const found = (start: number, end: number): void => {
      length++;
      this.#post(this.#terms.add(text, start, end), id);
    };
    eachTerm(text, found, from, to);
    if (id >= this.#lengths.length) this.#lengths = resized(this.#lengths, new Uint16Array(id * 2));
    this.#lengths[id] = Math.min(Math.max(length, 1), 0xffff);
    this.#live++;
    this.#liveLength += this.#lengths[id]!;
    return id;
  }

  /** Removes a text. Its postings stay until the index is built anew. */
  remove(id: number): void {
    const length = this.#lengths[id] ?? 0;
    if (length === 0) return;
    this.#lengths[id] = 0;
    this.#live--;
    this.#liveLength -= length;
  }

  /** Scores every text that has a term of the query, by number; 0 for the others. */
  search(query: string): Float32Array {
    const scores = new Float32Array(this.#texts);
    const matched = new Uint8Array(this.#texts);
    const terms = this.#queryTerms(query);
    const average = this.#liveLength / Math.max(1, this.#live);
    const postings = this.#postings;
    for (const term of terms) {
      let count = 0;
      for (let at = this.#terms.head(term); at >= 0; at = postings[at + 1]!)
        if (this.#lengths[postings[at]! >>> countBits] !== 0) count++;
      const rarity = Math.log(1 + (this.#live - count + 0.5) / (count + 0.5));
      for (let at = this.#terms.head(term); at >= 0; at = postings[at + 1]!) {
        const id = postings[at]! >>> countBits;
        const length = this.#lengths[id]!;
        if (length === 0) continue;
        const times = postings[at]! & mostCounted;
        const norm = 1 - lengthWeight + (lengthWeight * length) / average;
        scores[id]! += rarity * (lowerBound + (times * (saturation + 1)) / (times + saturation * norm));
        matched[id]!++;
      }
    }
    // A text with many terms of the query is better than one that repeats a single term.
    for (let id = 0; id < scores.length; id++) if (matched[id]! > 1) scores[id]! *= matched[id]!;
    return scores;
  }

  #post(term: number, id: number): void {
    const head = this.#terms.head(term);
    const postings = this.#postings;
    if (head >= 0 && postings[head]! >>> countBits === id) {
      if ((postings[head]! & mostCounted) < mostCounted) postings[head]!++;
      return;
    }
    const at = this.#postingsEnd;
    if (at + 2 > postings.length)
      this.#postings = resized(postings, new Int32Array(Math.ceil((postings.length * 1.5) / 2) * 2));
    this.#postings[at] = (id << countBits) | 1;
    this.#postings[at + 1] = head;
    this.#postingsEnd = at + 2;
    this.#terms.setHead(term, at);
  }

  /** The known terms of a query. */
  #queryTerms(query: string): ReadonlySet<number> {
    const terms = new Set<number>();
    eachTerm(query, (from, to) => {
      const term = terms.size < mostQueryTerms ? this.#terms.find(query, from, to) : -1;
      if (term >= 0) terms.add(term);
    });
    return terms;
  }
}

function resized<Numbers extends Int32Array | Uint16Array>(numbers: Numbers, larger: Numbers): Numbers {
  larger.set(numbers);
  return larger;
}
