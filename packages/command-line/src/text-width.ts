import stringWidth from 'string-width';

/** The width of the widest line in columns of a terminal, where many characters are two columns wide. */
export function widthOf(text: string): number {
  return Math.max(...text.split('\n').map((line) => stringWidth(line)));
}
