import { fencedLines } from './fence.ts';

/** A section cut into what can be kept or left as a whole: list items with their further lines, fenced blocks, lines. */
export function sectionItems(section: string): string[] {
  const lines = section.split('\n');
  const inside = fencedLines(lines);
  const items: string[][] = [];
  lines.forEach((line, index) => {
    if (inside[index]) {
      if (index > 0 && inside[index - 1]) items.at(-1)!.push(line);
      else items.push([line]);
      return;
    }
    if (line.trim() === '') return;
    const continues = /^\s{2,}\S/.test(line) && items.length > 0 && !(index > 0 && inside[index - 1]);
    if (continues) items.at(-1)!.push(line);
    else items.push([line]);
  });
  return items.map((item) => item.join('\n'));
}
