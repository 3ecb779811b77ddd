/** An item of a numbered list; `number` is 0 for a line without one. */
export interface NumberedItem {
  readonly number: number;
  /** The item without its number, further lines of it included. */
  readonly text: string;
}

const numbered: RegExp = /^(\d{1,6})[.)]\s+/;

/** Reads a list; lines that begin no item belong to the item before them. */
export function readNumbered(section: string): NumberedItem[] {
  const items: { number: number; text: string }[] = [];
  for (const line of section.split('\n')) {
    if (line.trim() === '') continue;
    const found = numbered.exec(line);
    const bullet = /^[-*\u2022]\s+/.exec(line);
    if (found) items.push({ number: Number(found[1]), text: line.slice(found[0].length) });
    else if (bullet || items.length === 0) items.push({ number: 0, text: line.slice(bullet?.[0].length ?? 0) });
    else items.at(-1)!.text += `\n${line}`;
  }
  return items;
}

/** The highest number of a list, 0 for none. */
export function lastNumber(items: readonly NumberedItem[]): number {
  return items.reduce((highest, { number }) => Math.max(highest, number), 0);
}
