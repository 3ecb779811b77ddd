import type { SummaryLine } from '@palimpsest/core';
import { estimateTokens } from '@palimpsest/tokens';

/** One entry of a list: the same content in shorter and shorter forms, which are written and counted when needed. */
export class ListEntry {
  /** The list mark, such as `-` or `3.`. */
  readonly mark: string;
  readonly #write: () => readonly string[];
  readonly #from: readonly (readonly number[])[];
  #forms: readonly string[] | undefined;
  readonly #costs: number[] = [];

  /**
   * @param write the item texts without a list mark, the longest first; at least one
   * @param from for each line of an item, the indices of the messages that it tells of. @default unknown
   */
  constructor(mark: string, write: () => readonly string[], from: readonly (readonly number[])[] = []) {
    this.mark = mark;
    this.#write = write;
    this.#from = from;
  }

  get forms(): readonly string[] {
    return (this.#forms ??= this.#write());
  }

  /** The item with its mark. */
  line(form: number): string {
    return `${this.mark} ${this.forms[form]!}`;
  }

  /** Indices of all messages that the item tells of. */
  get from(): readonly number[] {
    return this.#from.flat();
  }

  /** The lines of a form with their sources. */
  lines(form: number): SummaryLine[] {
    return this.line(form)
      .split('\n')
      .map((text, at) => ({ text, from: this.#from[at] ?? [] }));
  }

  /** Estimated tokens of a form. */
  cost(form: number): number {
    return (this.#costs[form] ??= lineCost(this.line(form)));
  }
}

/** A list that may be shortened. */
export interface ShortenableList {
  /** In the order in which they stand in the list. */
  readonly entries: readonly ListEntry[];
  /** The end of the list that matters more. */
  readonly keep: 'first' | 'last';
  /** Entries that earlier lists left out. */
  readonly leftOutBefore: number;
  /**
   * Says what was left out.
   * @param count the entries left out here and before
   * @param entries those left out here
   * @param room tokens for the lines
   */
  readonly leftOut: (count: number, entries: readonly ListEntry[], room: number) => readonly SummaryLine[];
  /** The share of the room for what is said about entries that are left out. @default 0.2 */
  readonly leftOutShare?: number | undefined;
}

/** A list that fits. */
export interface FittedList {
  /** Estimated. */
  readonly tokens: number;
  /** Each item as its lines, in order, with its mark, and what was left out. */
  readonly items: () => readonly (readonly SummaryLine[])[];
}

/** Tokens of a line besides its text: its mark and its end. */
const lineOverhead = 2;
/** Least room for what is said about entries that are left out. Tokens. */
const leastLeftOut = 14;

/**
 * Fits a list into a room. Every entry in its shortest form comes first, from the end that matters; then longer forms,
 * form by form. Entries are left out only from the other end, and the list says so.
 * @param room tokens
 */
export function fitList(list: ShortenableList, room: number): FittedList {
  const { entries, keep, leftOutBefore, leftOut } = list;
  if (entries.length === 0 && leftOutBefore === 0) return { tokens: 0, items: () => [] };
  const ordered = keep === 'last' ? entries.toReversed() : entries;
  const shortest = entriesWithin(ordered, list, room);
  const gone = ordered.slice(shortest.length);
  let left = room - shortest.reduce((sum, entry) => sum + entry.cost(entry.forms.length - 1), 0);
  const count = leftOutBefore + gone.length;
  const about = count > 0 ? leftOut(count, gone, left) : [];
  left -= about.reduce((sum, { text }) => sum + lineCost(text), 0);
  const chosen = shortest.map((entry) => entry.forms.length - 1);
  for (let wasLonger = true; wasLonger; ) {
    wasLonger = false;
    shortest.forEach((entry, at) => {
      const form = chosen[at]!;
      const more = form === 0 ? Number.POSITIVE_INFINITY : entry.cost(form - 1) - entry.cost(form);
      if (more > left) return;
      left -= more;
      chosen[at] = form - 1;
      wasLonger = true;
    });
  }
  return {
    tokens: room - left,
    items: () => {
      const shown = shortest.map((entry, at) => entry.lines(chosen[at]!));
      const notes = about.map((line) => [line]);
      return keep === 'last' ? [...notes, ...shown.reverse()] : [...shown, ...notes];
    },
  };
}

/** The first entries that fit in their shortest form, with room to say what is left out. */
function entriesWithin(
  entries: readonly ListEntry[],
  { leftOutBefore, leftOutShare = 0.2 }: ShortenableList,
  room: number,
): ListEntry[] {
  const reserved = Math.max(leastLeftOut, room * leftOutShare);
  const most = leftOutBefore > 0 ? room - leastLeftOut : room;
  let used = 0;
  let count = 0;
  let withReserve = 0;
  for (const entry of entries) {
    used += entry.cost(entry.forms.length - 1);
    if (used > most) return entries.slice(0, withReserve);
    count++;
    if (used <= room - reserved) withReserve = count;
  }
  return [...entries];
}

function lineCost(line: string): number {
  return estimateTokens(line) + lineOverhead;
}
