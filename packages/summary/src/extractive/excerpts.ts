import { fenced } from '../template/fence.ts';
import { isFenced, sectionItems } from '../template/section-items.ts';

/** Lines that stand together under one source. */
export interface ExcerptBlock {
  /** Where the lines come from, and which they are, such as `read src/a.ts:3-9`. One line. */
  readonly source: string;
  readonly lines: readonly string[];
}

/** Begins the line that names a source: at least three, and more than any quoted line begins with. */
const sourceMark: RegExp = /^(>{3,}) (.*)$/;
/** What a quoted line could be taken for a source by. */
const lookalike: RegExp = /^(>{3,})/gm;

/** Named when an older summary has lost the source of what it quotes. */
const unknownSource = 'an earlier record';

/**
 * Excerpts as one fenced block: a line naming the source, then its lines word for word. Nothing that is quoted can
 * close the block or pass for a source. To shorten it, leave out blocks and format again: cutting the text would part
 * words from their source.
 */
export function formatExcerpts(blocks: readonly ExcerptBlock[]): string {
  if (blocks.length === 0) return '';
  let longest = 2;
  for (const { lines } of blocks)
    for (const [run] of lines.join('\n').matchAll(lookalike)) longest = Math.max(longest, run.length);
  const mark = '>'.repeat(longest + 1);
  return fenced(blocks.map(({ source, lines }) => [`${mark} ${source}`, ...lines].join('\n')).join('\n'));
}

/** The excerpts in a fenced block that {@link formatExcerpts} wrote; `null` for any other text. */
export function readExcerptBlock(item: string): ExcerptBlock[] | null {
  const lines = item.split('\n');
  const mark = sourceMark.exec(lines[1] ?? '')?.[1];
  if (!/^`{3,}$/.test(lines[0]!) || lines.at(-1) !== lines[0] || mark === undefined) return null;
  const blocks: { source: string; lines: string[] }[] = [];
  for (const line of lines.slice(1, -1)) {
    const found = sourceMark.exec(line);
    if (found?.[1] === mark) blocks.push({ source: found[2]!, lines: [] });
    else blocks.at(-1)!.lines.push(line);
  }
  return blocks;
}

/**
 * Takes every quotation out of a section: the excerpts, those of older versions without a source included, and the
 * section without them. Quotations are carried on as quotations only.
 */
export function readExcerpts(section: string): { readonly blocks: readonly ExcerptBlock[]; readonly rest: string } {
  const blocks: ExcerptBlock[] = [];
  const rest: string[] = [];
  for (const item of sectionItems(section)) {
    if (!isFenced(item)) {
      rest.push(item);
      continue;
    }
    const lines = item.split('\n').slice(1, -1);
    for (const block of readExcerptBlock(item) ?? [{ source: unknownSource, lines }]) blocks.push(block);
  }
  return { blocks, rest: rest.join('\n') };
}
