import type { HandoffLine } from '@palimpsest/session';

/** A run of lines of one kind. */
export interface Block {
  readonly kind: 'list' | 'text' | 'code';
  readonly lines: readonly HandoffLine[];
}

/** A heading with what is below it. */
export interface Section {
  /** `null` for the lines before the first heading. */
  readonly title: string | null;
  /** Its first line, as a key. */
  readonly line: number;
  readonly blocks: readonly Block[];
}

const heading: RegExp = /^#{1,6} (.*)$/;
const fence: RegExp = /^\s*`{3,}/;
const item: RegExp = /^(\s*)([-*+]|\d{1,6}[.)])\s+(.*)$/s;

/** Reads the lines of a handoff as sections, lists, paragraphs and code. Blank lines separate paragraphs. */
export function parseHandoff(lines: readonly HandoffLine[]): readonly Section[] {
  const sections: { title: string | null; line: number; blocks: { kind: Block['kind']; lines: HandoffLine[] }[] }[] =
    [];
  let closing: string | null = null;
  let isSeparated = true;
  const add = (kind: Block['kind'], line: HandoffLine): void => {
    if (sections.length === 0) sections.push({ title: null, line: line.line, blocks: [] });
    const { blocks } = sections.at(-1)!;
    const last = blocks.at(-1);
    if (last?.kind === kind && !isSeparated) last.lines.push(line);
    else blocks.push({ kind, lines: [line] });
    isSeparated = false;
  };
  for (const line of lines) {
    const { text } = line;
    const title = closing === null ? heading.exec(text)?.[1] : undefined;
    if (title !== undefined) sections.push({ title, line: line.line, blocks: [] });
    else if (closing !== null) {
      if (text.trim() === closing) closing = null;
      else add('code', line);
    } else if (fence.test(text)) {
      closing = fence.exec(text)![0].trim();
      isSeparated = true;
    } else if (text.trim() === '') isSeparated = true;
    else if (item.test(text)) {
      isSeparated = isSeparated && sections.at(-1)?.blocks.at(-1)?.kind !== 'list';
      add('list', line);
    } else add('text', line);
  }
  return sections;
}

/** The text of a list item, how deep it is indented, and its number such as `12.`, if it has one. */
export function readItem(text: string): {
  readonly text: string;
  readonly depth: number;
  readonly mark: string | null;
} {
  const [, indent = '', mark = '', rest = text] = item.exec(text) ?? [];
  return { text: rest, depth: Math.min(indent.length >> 1, 4), mark: /\d/.test(mark) ? mark : null };
}
