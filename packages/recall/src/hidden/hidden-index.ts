import type { Message } from '@palimpsest/core';
import { BestChunks } from '../search/best-chunks.ts';
import { indexOfPhrase, phrasesOf } from '../search/phrases.ts';
import { TermIndex } from '../search/term-index.ts';
import { ChunkList } from './chunk-list.ts';
import { eachHidden, type HiddenText, type Projection } from './hidden-text.ts';
import { refOf } from './ref.ts';
import { isSameText } from './refs-of-hidden.ts';
import { type Chunk, chunksOf } from './rows.ts';

/** An indexed text. */
export interface Entry extends HiddenText {
  readonly ref: string;
  /** Index of the newest message that contains it; -1 for an archived text. */
  at: number;
  /** Number of its first chunk in the index of texts. The others follow. */
  firstChunk: number;
  chunks: number;
  /** Its number in the index of heads, until the index is rebuilt. */
  number: number;
  /** Number of the last pass over the history that found it hidden; -1 once removed. */
  seen: number;
}

/** A chunk found by a search. */
export interface Found {
  readonly entry: Entry;
  readonly chunk: Chunk;
}

/** A text of the archive, masked. */
export interface ArchivedText extends HiddenText {
  /** The ref of the unmasked text, if it was archived in this process. */
  readonly originalRef?: string | undefined;
}

/** Share of a matching call's score that is added to the chunks of its text. */
const headWeight = 0.6;
/** Added to the score of a chunk in which a phrase of the query begins: more than terms reach. */
const phraseScore = 1000;
/** Approximate memory of an entry without its text. */
const entryBytes = 400;
/** An index with at most this many removed texts is not rebuilt. */
const fewRemoved = 500;

/** Search index of the hidden texts of one session. Texts that are no longer hidden are removed by {@link follow}. */
export class HiddenIndex {
  readonly #sessionId: string;
  readonly #entries: Map<string, Entry> = new Map();
  #texts: TermIndex = new TermIndex();
  #heads: TermIndex = new TermIndex();
  /** Chunks by their number in the index of texts. */
  #chunks: ChunkList = new ChunkList();
  /** Entries by their number in the index of heads. */
  #numbered: (Entry | undefined)[] = [];
  /** Entries by text object, so that a known text takes one look-up. */
  readonly #entryOf: WeakMap<HiddenText, Entry> = new WeakMap();
  /** Texts by message index. */
  #textsAt: (readonly HiddenText[])[] = [];
  #pass = 0;
  #characters = 0;

  constructor(sessionId: string) {
    this.#sessionId = sessionId;
  }

  /** Number of texts. */
  get size(): number {
    return this.#entries.size;
  }

  /** Approximate memory of the texts and their index. */
  get bytes(): number {
    const indexed = this.#texts.bytes + this.#heads.bytes + this.#chunks.bytes;
    return this.size === 0 ? 0 : this.#characters + indexed + this.size * entryBytes;
  }

  get(ref: string): Entry | undefined {
    return this.#entries.get(ref);
  }

  /** Returns the hidden texts of the message at an index. */
  at(at: number): readonly Entry[] {
    return (this.#textsAt[at] ?? []).map((text) => this.#entryOf.get(text)!);
  }

  /**
   * Updates the index to a history. A text that is already indexed takes one look-up.
   * @param onRemove called with each text that is no longer hidden
   */
  follow(
    history: readonly Message[],
    projection: Projection | null,
    archived: Iterable<ArchivedText>,
    onRemove: (entry: Entry) => void,
  ): void {
    this.#pass++;
    this.#textsAt = [];
    if (projection) eachHidden(history, projection, (texts, at) => void (this.#textsAt[at] = texts));
    if (this.size === 0) this.#startIndex(this.#textsAt.flat());
    this.#textsAt.forEach((texts, at) => {
      for (const text of texts) this.#want(text, at, onRemove);
    });
    for (const text of archived) {
      const original = text.originalRef === undefined ? undefined : this.#entries.get(text.originalRef);
      if (original?.seen !== this.#pass) this.#want(text, -1, onRemove);
    }
    for (const entry of this.#entries.values()) if (entry.seen !== this.#pass) this.#remove(entry, onRemove);
    if (this.#texts.removed > Math.max(fewRemoved, this.#texts.size)) this.#rebuild();
  }

  /** Returns the best chunks for a query, best first. Among equal ones, the newest is first. */
  search(query: string, isWanted: (entry: Entry) => boolean): Found[] {
    const texts = this.#texts.search(query);
    const heads = this.#heads.search(query);
    for (const phrase of phrasesOf(query)) this.#raise(texts, phrase);
    const best = new BestChunks();
    for (let chunk = 0; chunk < texts.length; chunk++) {
      const entry = this.#numbered[this.#chunks.entry(chunk)];
      if (!entry) continue;
      const ofHead = headWeight * heads[entry.number]!;
      // Without a match in its text, only the first chunk counts for a matching call.
      const score = texts[chunk]! > 0 ? texts[chunk]! + ofHead : chunk === entry.firstChunk ? ofHead : 0;
      if (score > 0 && isWanted(entry)) best.add(chunk, score, entry.at);
    }
    return best.chunks.map((at) => ({
      entry: this.#numbered[this.#chunks.entry(at)]!,
      chunk: this.#chunks.chunk(at),
    }));
  }

  /** Raises the scores of the chunks in which a phrase begins. */
  #raise(scores: Float32Array, phrase: string): void {
    for (const { text, firstChunk, chunks } of this.#entries.values()) {
      let at = indexOfPhrase(text, phrase, 0);
      for (let chunk = firstChunk; at >= 0 && chunk < firstChunk + chunks; chunk++) {
        const { to } = this.#chunks.chunk(chunk);
        if (at >= to) continue;
        scores[chunk]! += phraseScore;
        at = indexOfPhrase(text, phrase, to);
      }
    }
  }

  /** Indexes a repeated text once, at its newest place. Different texts with the same hash get numbered refs. */
  #want(text: HiddenText, at: number, onRemove: (entry: Entry) => void): void {
    let entry = this.#entryOf.get(text);
    if (!entry || entry.seen < 0) {
      const plain = refOf(this.#sessionId, text);
      let ref = plain;
      entry = this.#entries.get(ref);
      for (let next = 2; entry?.seen === this.#pass && !isSameText(entry, text); next++) {
        ref = `${plain}-${next}`;
        entry = this.#entries.get(ref);
      }
      if (entry && !isSameText(entry, text)) this.#remove(entry, onRemove);
      if (!entry || entry.seen < 0) entry = this.#add(ref, text);
      this.#entryOf.set(text, entry);
    }
    entry.at = entry.seen === this.#pass ? Math.max(entry.at, at) : at;
    entry.seen = this.#pass;
  }

  #add(ref: string, { tool, head, text }: HiddenText): Entry {
    const entry: Entry = { ref, tool, head, text, at: -1, firstChunk: 0, chunks: 0, number: 0, seen: 0 };
    this.#entries.set(ref, entry);
    this.#characters += text.length;
    this.#indexEntry(entry);
    return entry;
  }

  #indexEntry(entry: Entry): void {
    entry.number = this.#heads.add(entry.head);
    this.#numbered[entry.number] = entry;
    entry.firstChunk = this.#chunks.length;
    for (const chunk of chunksOf(entry.text)) {
      this.#texts.add(entry.text, chunk.from, chunk.to);
      this.#chunks.add(entry.number, chunk);
    }
    entry.chunks = this.#chunks.length - entry.firstChunk;
  }

  #remove(entry: Entry, onRemove: (entry: Entry) => void): void {
    this.#entries.delete(entry.ref);
    this.#characters -= entry.text.length;
    entry.seen = -1;
    onRemove(entry);
    this.#heads.remove(entry.number);
    this.#numbered[entry.number] = undefined;
    for (let at = entry.firstChunk; at < entry.firstChunk + entry.chunks; at++) this.#texts.remove(at);
  }

  #rebuild(): void {
    this.#startIndex([...this.#entries.values()]);
    for (const entry of this.#entries.values()) this.#indexEntry(entry);
  }

  /** Starts an empty index, with space for these texts. */
  #startIndex(texts: readonly HiddenText[]): void {
    if (texts.length === 0) return;
    this.#texts = new TermIndex(texts.reduce((sum, { text }) => sum + text.length, 0));
    this.#heads = new TermIndex(texts.reduce((sum, { head }) => sum + head.length, 0));
    this.#chunks = new ChunkList();
    this.#numbered = [];
  }
}
