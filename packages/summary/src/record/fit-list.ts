import { estimateTokens } from '@palimpsest/tokens';

/** One entry of a list: the same content in shorter and shorter forms. */
export interface ListEntry {
  /** Item texts without a list mark, the longest first. At least one. */
  readonly forms: readonly string[];
  /** The list mark, such as `-` or `3.`. */
  readonly mark: string;
}

/** A list that may be shortened. */
export interface ShortenableList<Entry extends ListEntry> {
  /** In the order in which they stand in the list. */
  readonly entries: readonly Entry[];
  /** The end of the list that matters more. */
  readonly keep: 'first' | 'last';
  /** Says what was left out, in at most so many tokens. */
  readonly leftOut: (entries: readonly Entry[], room: number) => readonly string[];
  /** The share of the room for what is said about entries that are left out. @default 0.2 */
  readonly leftOutShare?: number | undefined;
}

/** A list that fits. */
export interface FittedList {
  /** The items with their marks, in order, and what was left out. */
  readonly items: readonly string[];
  readonly tokens: number;
  /** True if a larger room would have held more. */
  readonly isShortened: boolean;
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
export function fitList<Entry extends ListEntry>(
  { entries, keep, leftOut, leftOutShare = 0.2 }: ShortenableList<Entry>,
  room: number,
): FittedList {
  if (entries.length === 0) return { items: [], tokens: 0, isShortened: false };
  const ordered = keep === 'last' ? entries.toReversed() : entries;
  const costs = ordered.map(({ forms, mark }) => forms.map((form) => lineCost(`${mark} ${form}`)));
  const shortest = costs.map((all) => all.at(-1)!);
  const count = countWithin(shortest, room, leftOutShare);
  let left = room - shortest.slice(0, count).reduce((sum, cost) => sum + cost, 0);
  const gone = ordered.slice(count);
  const about = gone.length > 0 ? leftOut(gone, left) : [];
  left -= about.reduce((sum, line) => sum + lineCost(line), 0);
  const chosen = shortest.slice(0, count).map((_, at) => costs[at]!.length - 1);
  let isShortened = gone.length > 0;
  for (let step = 0; chosen.some((form) => form > 0) && step < longestForms(costs); step++) {
    for (let at = 0; at < count; at++) {
      const form = chosen[at]!;
      if (form === 0) continue;
      const more = costs[at]![form - 1]! - costs[at]![form]!;
      if (more > left) isShortened = true;
      else {
        left -= more;
        chosen[at] = form - 1;
      }
    }
  }
  const items = chosen.map((form, at) => `${ordered[at]!.mark} ${ordered[at]!.forms[form]!}`);
  if (keep === 'last') items.reverse();
  return {
    items: keep === 'last' ? [...about, ...items] : [...items, ...about],
    tokens: room - left,
    isShortened,
  };
}

/** The number of costs that fit, with room to say what is left out if not all do. */
function countWithin(costs: readonly number[], room: number, leftOutShare: number): number {
  const all = costs.reduce((sum, cost) => sum + cost, 0);
  if (all <= room) return costs.length;
  let left = room - Math.max(leastLeftOut, room * leftOutShare);
  let count = 0;
  while (count < costs.length && costs[count]! <= left) left -= costs[count++]!;
  return count;
}

function longestForms(costs: readonly (readonly number[])[]): number {
  return costs.reduce((most, { length }) => Math.max(most, length), 0);
}

function lineCost(line: string): number {
  return estimateTokens(line) + lineOverhead;
}
