import { fenced } from '../template/fence.ts';

/** Lines that stand together under one source. */
export interface ExcerptBlock {
  /** Where the lines come from, and which they are, such as `read src/a.ts:3-9`. */
  readonly source: string;
  readonly lines: readonly string[];
}

/** Begins the line that names a source. */
const sourceMark = '>>> ';

/** Excerpts as one fenced block: a line naming the source, then its lines word for word. */
export function formatExcerpts(blocks: readonly ExcerptBlock[]): string {
  if (blocks.length === 0) return '';
  return fenced(blocks.map(({ source, lines }) => [sourceMark + source, ...lines].join('\n')).join('\n'));
}

/** Reads what {@link formatExcerpts} wrote out of a section: the blocks, and the section without them. */
export function readExcerpts(section: string): { readonly blocks: readonly ExcerptBlock[]; readonly rest: string } {
  const blocks: { source: string; lines: string[] }[] = [];
  const rest: string[] = [];
  let open: string | null = null;
  const lines = section.split('\n');
  lines.forEach((line, index) => {
    if (open !== null) {
      if (line === open) open = null;
      else if (line.startsWith(sourceMark)) blocks.push({ source: line.slice(sourceMark.length), lines: [] });
      else blocks.at(-1)!.lines.push(line);
    } else if (/^`{3,}$/.test(line) && lines[index + 1]?.startsWith(sourceMark) && lines.includes(line, index + 1))
      open = line;
    else rest.push(line);
  });
  return { blocks, rest: rest.join('\n').trim() };
}
