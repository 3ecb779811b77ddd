import { splitsPair } from '../text/cut.ts';

/**
 * Maximum length of a line in characters. Longer lines, such as data and minified code, are cut into pieces, so that a
 * part can be kept.
 */
const maxLineLength = 320;
/** Maximum length, in characters, of a line with several short values. */
const compact = 200;

/** Receives one line. @param continues true for a piece of a long line that continues the piece before it */
type Take = (line: string, continues: boolean) => void;

/** Splits a text into lines. JSON is listed value by value, with escapes decoded; long lines are cut into pieces. */
export function eachTextLine(text: string, take: Take): void {
  const decoded = /^\s*[[{]/.test(text) ? parse(text) : undefined;
  if (decoded === undefined) for (const line of text.split('\n')) addPieces(line, take);
  else addValue(decoded, take);
}

function parse(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? value : undefined;
  } catch {
    return undefined;
  }
}

/** Lists the values in order. Iterative, because JSON may be nested deeper than the call stack allows. */
function addValue(root: unknown, take: Take): void {
  const open: [name: string, value: unknown][] = [['', root]];
  for (let next = open.pop(); next; next = open.pop()) {
    const [name, value] = next;
    const label = name === '' ? '' : `${name}: `;
    if (typeof value === 'string') {
      const lines = value.split('\n');
      lines[0] = label + lines[0];
      for (const line of lines) addPieces(line, take);
    } else if (typeof value !== 'object' || value === null) {
      take(`${label}${String(value)}`, false);
    } else {
      const entries = entriesOf(value);
      const together = onOneLine(entries);
      if (together !== null) take(label + together, false);
      else for (const [key, item] of entries.reverse()) open.push([key === '' ? name : key, item]);
    }
  }
}

function entriesOf(value: object): [key: string, item: unknown][] {
  return Array.isArray(value) ? value.map((item): [string, unknown] => ['', item]) : Object.entries(value);
}

/** Joins entries on one line if they are few and short; otherwise returns `null`. */
function onOneLine(entries: readonly (readonly [key: string, item: unknown])[]): string | null {
  if (entries.length > compact || entries.some(([, item]) => typeof item === 'object' && item !== null)) return null;
  const together = entries.map(([key, item]) => (key === '' ? String(item) : `${key}: ${String(item)}`)).join(', ');
  return together.length <= compact && !together.includes('\n') ? together : null;
}

function addPieces(line: string, take: Take): void {
  let from = 0;
  while (line.length - from > maxLineLength) {
    // Searches only this piece: in a line without spaces, a search in the whole line would go back to its start every
    // time.
    let to = from + line.slice(from, from + maxLineLength + 1).lastIndexOf(' ');
    if (to <= from + maxLineLength / 2) {
      to = from + maxLineLength;
      if (splitsPair(line, to)) to--;
    }
    take(line.slice(from, to), from > 0);
    from = to;
  }
  take(from === 0 ? line : line.slice(from), from > 0);
}
