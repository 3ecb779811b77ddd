import type { Message } from '@palimpsest/core';
import { BestChunks } from '../search/best-chunks.ts';
import { TermIndex } from '../search/term-index.ts';
import { eachHidden, type HiddenText, type Projection } from './hidden-text.ts';
import { refOf } from './ref.ts';
import { type Chunk, chunksOf } from './rows.ts';

/** An indexed text. */
export interface Entry extends HiddenText {
  readonly ref: string;
  /** Index of the newest message of the history that has it; -1 for a text of the archive. */
  at: number;
  /** Numbers of its chunks in the index of texts, from `firstChunk`. */
  firstChunk: number;
  chunks: number;
  /** Its number in the index of heads. */
  headNumber: number;
}

/** A chunk that a search found. */
export interface Found {
  readonly entry: Entry;
  readonly chunk: Chunk;
}

/** A text of the archive, masked. */
export interface ArchivedText extends HiddenText {
  /** The ref it had before it was masked, if the history had it in this process. */
  readonly originalRef?: string | undefined;
}

interface Wanted {
  readonly text: HiddenText;
  readonly at: number;
}

/** A chunk whose call matches counts this much of the call's score. */
const headWeight = 0.6;
/** An index with fewer removed texts than this is not built anew. */
const fewRemoved = 500;

/** The hidden texts of one session, searchable. Follows the history: texts that are no longer hidden are not found. */
export class HiddenIndex {
  readonly #sessionId: string;
  readonly #entries: Map<string, Entry> = new Map();
  #texts: TermIndex = new TermIndex();
  #heads: TermIndex = new TermIndex();
  /** Entry and chunk by number in the index of texts. */
  #chunks: (Found | undefined)[] = [];
  /** Refs by index of the message. */
  #refsAt: Map<number, string[]> = new Map();

  constructor(sessionId: string) {
    this.#sessionId = sessionId;
  }

  /** Number of texts. */
  get size(): number {
    return this.#entries.size;
  }

  get(ref: string): Entry | undefined {
    return this.#entries.get(ref);
  }

  /** The texts of a message of the history. */
  at(at: number): readonly Entry[] {
    return (this.#refsAt.get(at) ?? []).map((ref) => this.#entries.get(ref)!);
  }

  /**
   * Brings the index in line with a history. Texts that it already has cost a comparison.
   * @param removed called with each text that is no longer hidden
   */
  follow(
    history: readonly Message[],
    projection: Projection | null,
    archived: Iterable<ArchivedText>,
    removed: (entry: Entry) => void,
  ): void {
    const wanted = new Map<string, Wanted>();
    this.#refsAt = new Map();
    if (projection)
      eachHidden(history, projection, (texts, at) => {
        for (const text of texts) this.#want(wanted, text, at);
      });
    for (const text of archived)
      if (text.originalRef === undefined || !wanted.has(text.originalRef)) this.#want(wanted, text, -1);
    for (const entry of this.#entries.values())
      if (!isSame(entry, wanted.get(entry.ref)?.text)) {
        this.#remove(entry);
        removed(entry);
      }
    for (const [ref, { text, at }] of wanted) {
      const known = this.#entries.get(ref);
      if (known) known.at = at;
      else this.#add(ref, text, at);
    }
    if (this.#texts.removed > Math.max(fewRemoved, this.#texts.size)) this.#rebuild();
  }

  /** The best chunks for a query, best first; of equal ones the newest first. */
  search(query: string, isWanted: (entry: Entry) => boolean): Found[] {
    const texts = this.#texts.search(query);
    const heads = this.#heads.search(query);
    const best = new BestChunks();
    for (let chunk = 0; chunk < texts.length; chunk++) {
      const entry = this.#chunks[chunk]?.entry;
      if (!entry) continue;
      const ofHead = headWeight * heads[entry.headNumber]!;
      // Of a text of which only the call matches, the first chunk stands for all.
      const score = texts[chunk]! > 0 ? texts[chunk]! + ofHead : chunk === entry.firstChunk ? ofHead : 0;
      if (score > 0 && isWanted(entry)) best.add(chunk, score, entry.at);
    }
    return best.chunks.map((chunk) => this.#chunks[chunk]!);
  }

  /** Texts that share a ref by chance get a number behind it. The same text at several places counts once, as the newest. */
  #want(wanted: Map<string, Wanted>, text: HiddenText, at: number): void {
    const plain = refs.get(text)?.get(this.#sessionId) ?? this.#remember(text);
    let ref = plain;
    for (let next = 2; wanted.has(ref) && !isSame(text, wanted.get(ref)!.text); next++) ref = `${plain}-${next}`;
    wanted.set(ref, { text, at: Math.max(at, wanted.get(ref)?.at ?? -1) });
    if (at < 0) return;
    const others = this.#refsAt.get(at);
    if (others) others.push(ref);
    else this.#refsAt.set(at, [ref]);
  }

  #remember(text: HiddenText): string {
    const ref = refOf(this.#sessionId, text);
    const known = refs.get(text) ?? new Map<string, string>();
    refs.set(text, known.set(this.#sessionId, ref));
    return ref;
  }

  #add(ref: string, { tool, head, text }: HiddenText, at: number): void {
    const entry: Entry = { ref, tool, head, text, at, firstChunk: 0, chunks: 0, headNumber: 0 };
    this.#entries.set(ref, entry);
    this.#indexEntry(entry);
  }

  #indexEntry(entry: Entry): void {
    entry.headNumber = this.#heads.add(entry.head);
    entry.firstChunk = this.#chunks.length;
    for (const chunk of chunksOf(entry.text)) {
      this.#texts.add(entry.text.slice(chunk.from, chunk.to));
      this.#chunks.push({ entry, chunk });
    }
    entry.chunks = this.#chunks.length - entry.firstChunk;
  }

  #remove(entry: Entry): void {
    this.#entries.delete(entry.ref);
    this.#heads.remove(entry.headNumber);
    for (let at = entry.firstChunk; at < entry.firstChunk + entry.chunks; at++) {
      this.#texts.remove(at);
      this.#chunks[at] = undefined;
    }
  }

  #rebuild(): void {
    this.#texts = new TermIndex();
    this.#heads = new TermIndex();
    this.#chunks = [];
    for (const entry of this.#entries.values()) this.#indexEntry(entry);
  }
}

// A pure cache: refs by text and session.
const refs = new WeakMap<HiddenText, Map<string, string>>();

function isSame(one: HiddenText, other: HiddenText | undefined): boolean {
  return one.head === other?.head && one.text === other.text;
}
