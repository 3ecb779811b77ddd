import { isFenceLine } from './fence.ts';
import { isFenced, sectionItems } from './section-items.ts';

/** An item of a numbered list; `number` is 0 for a line without one. */
export interface NumberedItem {
  readonly number: number;
  /** The item without its number, including its continuation lines. */
  readonly text: string;
}

const numbered: RegExp = /^(\d{1,6})[.)]\s+/;

/**
 * Reads a list. A line that does not begin an item belongs to the item before it. The same applies to a whole fenced
 * block, even if its lines look like items.
 */
export function readNumbered(section: string): NumberedItem[] {
  const items: { number: number; text: string }[] = [];
  const add = (text: string): void => {
    if (items.length === 0) items.push({ number: 0, text });
    else items.at(-1)!.text += `\n${text}`;
  };
  for (const block of sectionItems(section)) {
    if (isFenced(block)) {
      add(block);
      continue;
    }
    for (const line of block.split('\n')) {
      const found = numbered.exec(line);
      const bullet = /^[-*\u2022]\s+/.exec(line);
      if (found) items.push({ number: Number(found[1]), text: line.slice(found[0].length) });
      else if (bullet) items.push({ number: 0, text: line.slice(bullet[0].length) });
      else add(line);
    }
  }
  return items;
}

/** The highest number of a list, 0 for none. */
export function lastNumber(items: readonly NumberedItem[]): number {
  return items.reduce((highest, { number }) => Math.max(highest, number), 0);
}

/** Prefixes an item with its mark (`-`, `3.`). A fenced block gets no mark, because a mark would break its fence. */
export function listed(mark: string, text: string): string {
  return isFenceLine(text.slice(0, text.indexOf('\n') >>> 0)) ? text : `${mark} ${text}`;
}
