import type { SummaryLine } from '@palimpsest/core';
import { startOf } from '@palimpsest/pruner/salience';
import { estimateTokens } from '@palimpsest/tokens';

/** One entry of a section: the same content in ever shorter forms, each as its lines. */
export interface Item {
  /** Longest first; at least one. */
  readonly forms: readonly (readonly SummaryLine[])[];
  /** Entries with a higher one get their room first. @default 0 */
  readonly rank?: number | undefined;
}

/** Indentation of the lines of an entry after its first. Four spaces, so that none can open a fence or be a heading. */
const indent = '    ';

/**
 * Creates an entry.
 * @param mark before the first line, such as `-` or `3.`
 * @param texts the forms, longest first. Equal and blank ones are left out
 * @param from indices of the messages that it is about
 */
export function item(mark: string, texts: readonly string[], from: readonly number[] = []): Item {
  const forms = [...new Set(texts.map((text) => text.trim()))].filter((text) => text !== '');
  return {
    forms: forms.map((text) =>
      text
        .split(/\r\n?|\n/)
        .filter((line) => line.trim() !== '')
        .map((line, at) => ({ text: `${at === 0 ? `${mark} ` : indent}${line.trimEnd()}`, from })),
    ),
  };
}

/** Creates an entry whose text stays as it is, such as an entry of an earlier handoff or a fenced block. */
export function verbatimItem(text: string, from: readonly number[] = []): Item {
  return { forms: [text.split('\n').map((line) => ({ text: line, from }))] };
}

/** Creates an entry of an earlier handoff, which may be shortened to its first line. */
export function earlierItem(text: string): Item {
  return { forms: [...verbatimItem(text).forms, ...verbatimItem(text.split('\n', 1)[0]!).forms] };
}

/** The beginning of a text, with a mark if there is more. */
export function ellipsize(text: string, length: number): string {
  return text.length <= length ? text : `${startOf(text, length).trimEnd()} \u2026`;
}

/** Estimated tokens of lines. */
export function lineTokens(lines: readonly SummaryLine[]): number {
  return lines.reduce((sum, { text }) => sum + estimateTokens(text) + 1, 0);
}

/** The lines of the entries that fit into a room, in their order, and the tokens that they take. */
export interface Fitted {
  readonly entries: readonly (readonly SummaryLine[])[];
  readonly tokens: number;
}

/**
 * Chooses which entries are written, and in which form: first as many as fit in their shortest form, then each in its next
 * longer form as long as there is room, and so on, always in order of priority.
 * @param items in the order in which they are written
 * @param room tokens
 * @param keep the end that matters more
 * @param isFirst true for the text of an entry that matters more than the others. @default none
 */
export function fit(
  items: readonly Item[],
  room: number,
  keep: 'first' | 'last',
  isFirst: (text: string) => boolean = () => false,
): Fitted {
  const first = items.filter(({ forms: [form = []] }) => form.some(({ text }) => isFirst(text)));
  const known = new Set(first);
  const written = keep === 'last' ? items.toReversed() : items;
  const ordered = written.toSorted((one, other) => (other.rank ?? 0) - (one.rank ?? 0));
  const ranked = first.length === 0 ? ordered : [...first, ...ordered.filter((one) => !known.has(one))];
  const chosen = new Map<Item, number>();
  let left = room;
  for (const one of ranked) {
    const last = one.forms.length - 1;
    const cost = lineTokens(one.forms[last] ?? []);
    if (last < 0 || cost > left) continue;
    chosen.set(one, last);
    left -= cost;
  }
  const longest = Math.max(0, ...ranked.map(({ forms }) => forms.length));
  for (let behind = 2; behind <= longest; behind++)
    for (const [one, form] of chosen) {
      const longer = one.forms.length - behind;
      const cost = longer < 0 ? 0 : lineTokens(one.forms[longer]!) - lineTokens(one.forms[form]!);
      if (longer < 0 || cost > left) continue;
      chosen.set(one, longer);
      left -= cost;
    }
  return {
    entries: items.flatMap((one) => (chosen.has(one) ? [one.forms[chosen.get(one)!]!] : [])),
    tokens: room - left,
  };
}
