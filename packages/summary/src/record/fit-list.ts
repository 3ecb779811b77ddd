import type { SummaryLine } from '@palimpsest/core';
import { estimateTokens } from '@palimpsest/tokens';

/** One entry of a list: the same content in ever shorter forms, which are written and counted when needed. */
export class ListEntry {
  /** The list mark, such as `-` or `3.`. */
  readonly mark: string;
  /** When an entry is omitted: before the others, in the order of the list, or only after all others. */
  readonly omitted: 'first' | 'in order' | 'last';
  readonly #write: () => readonly string[];
  readonly #from: readonly (readonly number[])[];
  #forms: readonly string[] | undefined;
  readonly #costs: number[] = [];

  /**
   * @param write returns the item's texts without a list mark, longest first; at least one
   * @param from for each line of an item, the indices of the messages that it is about. @default unknown
   * @param omitted when the entry is omitted
   */
  constructor(
    mark: string,
    write: () => readonly string[],
    from: readonly (readonly number[])[] = [],
    omitted: ListEntry['omitted'] = 'in order',
  ) {
    this.mark = mark;
    this.omitted = omitted;
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

  /** Indices of all messages that the item is about. */
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
  /** Entries in the order of the list. */
  readonly entries: readonly ListEntry[];
  /** The more important end of the list. */
  readonly keep: 'first' | 'last';
  /** Number of entries that earlier lists omitted. */
  readonly leftOutBefore: number;
  /**
   * Writes the lines about omitted entries.
   * @param count number of entries omitted here and in earlier lists
   * @param entries entries omitted here
   * @param room maximum tokens of the lines
   */
  readonly leftOut: (count: number, entries: readonly ListEntry[], room: number) => readonly SummaryLine[];
  /** Share of the room for lines about omitted entries. @default 0.2 */
  readonly leftOutShare?: number | undefined;
}

/** A list shortened to its room. */
export interface FittedList {
  /** Estimated tokens of the list. */
  readonly tokens: number;
  /** Returns the items in order, each as its lines with a list mark, including the lines about omitted entries. */
  readonly items: () => readonly (readonly SummaryLine[])[];
}

/** Tokens of a line's list mark and line break. */
const lineOverhead = 2;
/** Minimum room for lines about omitted entries. Tokens. */
const leastLeftOut = 14;

/**
 * Shortens a list to fit into `room`. First places entries in their shortest form: those that are omitted last, then the
 * others, then those that are omitted first, each from the more important end. Then lengthens all entries step by step. The list states how many entries it omits.
 * @param room tokens
 */
export function fitList(list: ShortenableList, room: number): FittedList {
  const { entries, keep, leftOutBefore, leftOut } = list;
  if (entries.length === 0 && leftOutBefore === 0) return { tokens: 0, items: () => [] };
  const fromEnd = keep === 'last' ? entries.toReversed() : entries;
  const ordered = (['last', 'in order', 'first'] as const).flatMap((omitted) =>
    fromEnd.filter((entry) => entry.omitted === omitted),
  );
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
      const formOf = new Map(shortest.map((entry, at) => [entry, chosen[at]!]));
      const shown = entries.flatMap((entry) => (formOf.has(entry) ? [entry.lines(formOf.get(entry)!)] : []));
      const notes = about.map((line) => [line]);
      return keep === 'last' ? [...notes, ...shown] : [...shown, ...notes];
    },
  };
}

const isImportant = (entry: ListEntry): boolean => entry.omitted === 'last';

/** Returns the estimated tokens of the important entries in their shortest form, with a line about the others. */
export function importantTokens({ entries }: ShortenableList): number {
  const important = entries.filter(isImportant);
  const tokens = important.reduce((sum, entry) => sum + entry.cost(entry.forms.length - 1), 0);
  return important.length === 0 ? 0 : tokens + leastLeftOut;
}

/** The first entries that fit in their shortest form, with room for lines about omitted entries. */
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
