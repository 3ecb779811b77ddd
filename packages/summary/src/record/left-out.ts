import type { SummaryLine } from '@palimpsest/core';

/** The words that tell how many entries of a list were left out. A later summary reads the count back. */
export interface LeftOutNote {
  /** The item, with its list mark. A count comes from no message. */
  readonly line: (count: number) => SummaryLine;
  /** The count that an item of an earlier list tells; 0 for other text. */
  readonly countIn: (item: string) => number;
}

/**
 * @param one what follows the number 1, such as `earlier message`
 * @param many what follows other numbers
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

/** Separates what an earlier list tells of entries it left out from its other items. */
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
