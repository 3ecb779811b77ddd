import { widthOf } from './text-width.ts';

type Alignment = 'left' | 'right';

/** Formats rows as aligned columns, without lines and without trailing blanks. A cell may have several lines. */
export function plainTable(alignments: readonly Alignment[], rows: readonly (readonly string[])[]): string {
  const widths = alignments.map((_, at) => Math.max(...rows.map((row) => widthOf(row[at]!))));
  const lines = rows.flatMap((row) => {
    const cells = row.map((cell) => cell.split('\n'));
    return Array.from({ length: Math.max(...cells.map(({ length }) => length)) }, (_, line) =>
      cells
        .map((cell, at) => pad(cell[line] ?? '', widths[at]!, alignments[at]!))
        .join('  ')
        .trimEnd(),
    );
  });
  return lines.join('\n');
}

/** Breaks text between words into lines of a width. A longer word is cut. */
export function wrapText(text: string, width: number): string {
  const lines = text.split('\n').flatMap((paragraph) => {
    const [first = '', ...words] = paragraph.split(' ');
    const broken = [first];
    for (const word of words) {
      const longer = `${broken.at(-1)} ${word}`;
      if (widthOf(longer) <= width) broken[broken.length - 1] = longer;
      else broken.push(word);
    }
    return broken;
  });
  return lines.map((line) => cut(line, width).trimEnd()).join('\n');
}

function pad(text: string, width: number, alignment: Alignment): string {
  const blanks = ' '.repeat(width - widthOf(text));
  return alignment === 'left' ? text + blanks : blanks + text;
}

/** Cuts a line to a width. Its escape sequences stay, because one of them may end a colour. */
function cut(line: string, width: number): string {
  if (widthOf(line) <= width) return line;
  let [short, left] = ['', width - 1];
  for (const part of line.match(/\u001b\[[\d;]*m|./gsu)!) {
    const wide = widthOf(part);
    if (wide > 0 && left >= 0 && wide > left) {
      short += '…';
      left = -1;
    } else if (wide === 0 || left >= 0) {
      short += part;
      left -= wide;
    }
  }
  return short;
}
