import { splitsPair } from '../text/cut.ts';

/** Lines longer than this are cut into pieces: data and minified code, of which a part may be worth keeping. */
const longest = 320;
/** Values shorter than this stay on one line with their neighbours. */
const compact = 200;

/** Takes one line. @param continues true when it goes on where the one before it ended: a long line comes in pieces */
type Take = (line: string, continues: boolean) => void;

/** A text as lines to choose from: JSON by its values, so that an escaped text reads as it was written; long lines in pieces. */
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

/** Takes the values in written order. Iterative, because there is no limit to how deeply a text can be nested. */
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

/** Joins the entries on one line if they are few and short; otherwise returns `null`. */
function onOneLine(entries: readonly (readonly [key: string, item: unknown])[]): string | null {
  if (entries.length > compact || entries.some(([, item]) => typeof item === 'object' && item !== null)) return null;
  const together = entries.map(([key, item]) => (key === '' ? String(item) : `${key}: ${String(item)}`)).join(', ');
  return together.length <= compact && !together.includes('\n') ? together : null;
}

function addPieces(line: string, take: Take): void {
  let from = 0;
  while (line.length - from > longest) {
    // Search this piece only: in a line without blanks, the search would run back to its start every time.
    let to = from + line.slice(from, from + longest + 1).lastIndexOf(' ');
    if (to <= from + longest / 2) {
      to = from + longest;
      if (splitsPair(line, to)) to--;
    }
    take(line.slice(from, to), from > 0);
    from = to;
  }
  take(from === 0 ? line : line.slice(from), from > 0);
}
