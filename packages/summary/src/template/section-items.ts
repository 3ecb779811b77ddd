import { findFencedBlocks } from './fence.ts';

/**
 * Splits a section into items that are kept or dropped as a whole: list items with their continuation lines, fenced
 * blocks, and single lines.
 */
export function sectionItems(section: string): string[] {
  const lines = section.split('\n');
  const blocks = new Map(findFencedBlocks(lines).map((block) => [block.from, block.to]));
  const items: string[][] = [];
  let mayContinue = false;
  for (let at = 0; at < lines.length; at++) {
    const to = blocks.get(at);
    if (to !== undefined) {
      items.push(lines.slice(at, to));
      at = to - 1;
      mayContinue = false;
      continue;
    }
    const line = lines[at]!;
    if (line.trim() === '') continue;
    if (mayContinue && /^\s{2,}\S/.test(line)) items.at(-1)!.push(line);
    else items.push([line]);
    mayContinue = true;
  }
  return items.map((item) => item.join('\n'));
}

/** True for an item of {@link sectionItems} that is a fenced block. */
export function isFenced(item: string): boolean {
  return findFencedBlocks(item.split('\n'))[0]?.from === 0;
}
