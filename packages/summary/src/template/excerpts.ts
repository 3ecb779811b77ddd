import { fenceText } from './fence.ts';

/** Quoted lines from one source. */
export interface ExcerptBlock {
  /** The source of the lines, with line numbers, such as `read src/a.ts:3-9`. Always one line. */
  readonly source: string;
  readonly lines: readonly string[];
}

/**
 * Matches a line that names a source. Its mark has at least three `>` and is longer than any run of `>` at the start of
 * a quoted line.
 */
const sourceMark: RegExp = /^(>{3,}) (.*)$/;
/** Matches the start of a quoted line that could be mistaken for a source mark. */
const lookalike: RegExp = /^(>{3,})/gm;

/**
 * Formats excerpts as one fenced block: for each source, a line that names it, then its lines verbatim. Quoted text
 * cannot close the block or imitate a source. To shorten the result, omit blocks and format again; cutting the text
 * would separate quotations from their source.
 */
export function formatExcerpts(blocks: readonly ExcerptBlock[]): string {
  if (blocks.length === 0) return '';
  let longest = 2;
  for (const { lines } of blocks)
    for (const [run] of lines.join('\n').matchAll(lookalike)) longest = Math.max(longest, run.length);
  const mark = '>'.repeat(longest + 1);
  return fenceText(blocks.map(({ source, lines }) => [`${mark} ${source}`, ...lines].join('\n')).join('\n'));
}

/** Reads the excerpts from a fenced block written by {@link formatExcerpts}; `null` for any other text. */
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
