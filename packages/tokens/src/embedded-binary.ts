import type { BinaryContent } from './binary-content.ts';

/** A base64 stretch inside a text: where it starts and ends, and what it is. */
export interface EmbeddedBinary {
  readonly start: number;
  readonly end: number;
  readonly binary: BinaryContent;
}

// 1 = a character of base64 or base64url; 2 = what may stand between its lines or escapes its slashes in JSON.
const base64Class = new Uint8Array(128);
for (const character of 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/=-_') {
  base64Class[character.charCodeAt(0)] = 1;
}
base64Class[92] = 1;

/** Shortest line of wrapped base64 that continues the one before it (MIME wraps at 76, PEM at 64). */
const wrappedLine = 60;

/** How the base64 of PNG, JPEG, GIF, WebP and PDF begins: bare binaries in stringified JSON name no media type nearby. */
const bareBinary = /"(?:(iVBORw0KGgo)|(\/9j\/|\\\/9j\\\/)|(R0lGOD)|(UklGR)|(JVBERi0))/g;
const bareMediaTypes = ['image/png', 'image/jpeg', 'image/gif', 'image/webp', 'application/pdf'];

/**
 * Finds the base64 binaries inside a text, in order: data URLs, and quoted base64 that begins like a picture or a PDF
 * (as in a stringified tool result). Linear in the length of the text.
 * @param minimum shortest base64 stretch, in characters, worth reporting
 */
export function embeddedBinaries(text: string, minimum: number): EmbeddedBinary[] {
  if (text.length < minimum) return [];
  const found: EmbeddedBinary[] = [];
  for (let marker = text.indexOf(';base64,'); marker >= 0; ) {
    const end = endOfBase64(text, marker + 8);
    const start = startOfDataUrl(text, marker);
    if (start >= 0 && end - marker >= minimum) {
      const mediaType = text.slice(start + 5, marker).split(';')[0];
      found.push({ start, end, binary: { source: text.slice(start, end), mediaType } });
    }
    marker = text.indexOf(';base64,', end);
  }
  // Bare base64 is a quoted JSON value; a look for the media types that go with it spares every other text the search.
  if (text.includes('"base64"') || text.includes('image/') || text.includes('base64\\"')) addBare(text, minimum, found);
  return found;
}

function addBare(text: string, minimum: number, found: EmbeddedBinary[]): void {
  const urls = found.slice();
  let url = 0;
  bareBinary.lastIndex = 0;
  for (let match = bareBinary.exec(text); match; match = bareBinary.exec(text)) {
    const start = match.index + 1;
    while (url < urls.length && urls[url]!.end <= start) url++;
    if (url < urls.length && urls[url]!.start <= start) continue;
    const end = endOfBase64(text, start);
    bareBinary.lastIndex = end;
    if (end - start < minimum) continue;
    const mediaType = bareMediaTypes[match.slice(1).findIndex((group) => group !== undefined)];
    found.push({ start, end, binary: { source: text.slice(start, end), mediaType } });
  }
  found.sort((a, b) => a.start - b.start);
}

function startOfDataUrl(text: string, marker: number): number {
  // A media type with parameters is short; a farther `data:` belongs to something else.
  const start = text.lastIndexOf('data:', marker);
  return start >= 0 && marker - start <= 200 ? start : -1;
}

function endOfBase64(text: string, from: number): number {
  let at = from;
  for (;;) {
    while (at < text.length && isBase64(text.charCodeAt(at))) at++;
    let next = at;
    if (text.charCodeAt(next) === 13) next++;
    if (text.charCodeAt(next) !== 10) return at;
    next++;
    let lineEnd = next;
    while (lineEnd < text.length && lineEnd - next < wrappedLine && isBase64(text.charCodeAt(lineEnd))) lineEnd++;
    if (lineEnd - next < wrappedLine) return at;
    at = lineEnd;
  }
}

const isBase64 = (code: number): boolean => code < 128 && base64Class[code] === 1;
