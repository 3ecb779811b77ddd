import { partsPair } from '../source/cut.ts';

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
  else addValue('', decoded, take);
}

function parse(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? value : undefined;
  } catch {
    return undefined;
  }
}

function addValue(name: string, value: unknown, take: Take): void {
  const label = name === '' ? '' : `${name}: `;
  if (typeof value === 'string') {
    const [first = '', ...rest] = value.split('\n');
    addPieces(label + first, take);
    for (const line of rest) addPieces(line, take);
    return;
  }
  if (typeof value !== 'object' || value === null) {
    take(`${label}${String(value)}`, false);
    return;
  }
  const entries = Array.isArray(value) ? value.map((item): [string, unknown] => ['', item]) : Object.entries(value);
  if (entries.every(([, item]) => typeof item !== 'object' || item === null)) {
    const parts = entries.map(([key, item]) => (key === '' ? String(item) : `${key}: ${String(item)}`));
    const together = parts.join(', ');
    if (together.length <= compact && !together.includes('\n')) {
      take(label + together, false);
      return;
    }
  }
  for (const [key, item] of entries) addValue(key === '' ? name : key, item, take);
}

function addPieces(line: string, take: Take): void {
  let from = 0;
  while (line.length - from > longest) {
    let to = line.lastIndexOf(' ', from + longest);
    if (to <= from + longest / 2) {
      to = from + longest;
      if (partsPair(line, to)) to--;
    }
    take(line.slice(from, to), from > 0);
    from = to;
  }
  take(from === 0 ? line : line.slice(from), from > 0);
}
