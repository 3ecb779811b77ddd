/** A half-open range of characters. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/**
 * Finds the value of a field in valid JSON text, so that it can be edited without changing any other byte: long numbers,
 * escapes and spacing stay. If a name occurs twice, the last one counts, as for `JSON.parse`. Linear, not recursive.
 * Written by hand: see `contributing/decisions/small-parts-by-hand.md`.
 * @param at start of the object
 */
export function fieldSpan(text: string, name: string, at = 0): Span | null {
  let found: Span | null = null;
  let cursor = skipSpace(text, skipSpace(text, at) + 1);
  while (text[cursor] === '"') {
    const keyEnd = endOfString(text, cursor);
    const isWanted = JSON.parse(text.slice(cursor, keyEnd)) === name;
    const start = skipSpace(text, skipSpace(text, keyEnd) + 1);
    const end = endOfValue(text, start);
    if (isWanted) found = { start, end };
    cursor = skipSpace(text, end);
    if (text[cursor] !== ',') break;
    cursor = skipSpace(text, cursor + 1);
  }
  return found;
}

/** Finds the elements of an array in valid JSON text, in order. */
export function elementSpans(text: string, array: Span): Span[] {
  const spans: Span[] = [];
  let cursor = skipSpace(text, array.start + 1);
  while (text[cursor] !== ']') {
    const end = endOfValue(text, cursor);
    spans.push({ start: cursor, end });
    cursor = skipSpace(text, end);
    if (text[cursor] === ',') cursor = skipSpace(text, cursor + 1);
  }
  return spans;
}

function endOfValue(text: string, start: number): number {
  if (text[start] === '"') return endOfString(text, start);
  if (text[start] !== '{' && text[start] !== '[') return endOfLiteral(text, start);
  let depth = 0;
  for (let cursor = start; ; cursor++) {
    const code = text.charCodeAt(cursor);
    if (code === quote) cursor = endOfString(text, cursor) - 1;
    else if (code === openBrace || code === openBracket) depth++;
    else if ((code === closeBrace || code === closeBracket) && --depth === 0) return cursor + 1;
  }
}

const [quote, backslash, openBrace, closeBrace, openBracket, closeBracket] = [34, 92, 123, 125, 91, 93];

/** A quote ends a string unless an odd number of backslashes precedes it. */
function endOfString(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); ; end = text.indexOf('"', end + 1)) {
    let slashes = 0;
    while (text.charCodeAt(end - 1 - slashes) === backslash) slashes++;
    if (slashes % 2 === 0) return end + 1;
  }
}

function endOfLiteral(text: string, start: number): number {
  let end = start;
  while (end < text.length && !/[\s,\]}]/.test(text[end]!)) end++;
  return end;
}

function skipSpace(text: string, at: number): number {
  let cursor = at;
  while (cursor < text.length && text.charCodeAt(cursor) <= 32) cursor++;
  return cursor;
}
