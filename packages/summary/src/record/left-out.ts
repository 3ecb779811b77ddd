import type { SummaryLine } from '@palimpsest/core';

/** Writes and reads a list's line about omitted entries. */
export interface LeftOutNote {
  /** Formats the line, with its list mark. It has no sources. */
  readonly line: (count: number) => SummaryLine;
  /** Reads the count from an item of an earlier list; 0 for other text. */
  readonly countIn: (item: string) => number;
}

/**
 * @param one the words after the number 1, such as `earlier message`
 * @param many the words after other numbers
 */
export function leftOutNote(one: string, many: string): LeftOutNote {
  const end = ' left out';
  return {
    line: (count) => ({ text: `- ${count} ${count === 1 ? one : many}${end}`, from: [] }),
    countIn: (item) => {
      const [, count, words] = /^(\d{1,6}) (.*)$/.exec(item) ?? [];
      return words === `${one}${end}` || words === `${many}${end}` ? Number(count) : 0;
    },
  };
}

/** Separates an earlier list's line about omitted entries from its other items. */
export function splitLeftOut<Item>(
  items: readonly Item[],
  note: LeftOutNote,
  textOf: (item: Item) => string,
): { readonly items: readonly Item[]; readonly count: number } {
  const counts = items.map((item) => note.countIn(textOf(item)));
  return {
    items: items.filter((_, at) => counts[at] === 0),
    count: counts.reduce((sum, count) => sum + count, 0),
  };
}
