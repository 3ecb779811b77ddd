import type { BinaryContent } from './binary-content.ts';

/** A base64 stretch inside a text: where it starts and ends, and what it is. */
export interface EmbeddedBinary {
  readonly start: number;
  readonly end: number;
  readonly binary: BinaryContent;
}

/** Base64 or base64url, with the backslash that JSON may put before a slash or an `n`. */
const firstLine = /[\w+/=\\-]*/y;
/** What continues it: MIME wraps at 76 characters, PEM at 64, so a shorter line is none of it. */
const nextLine = /\r?\n[\w+/=\\-]{60,}/y;
/** A media type with its parameters is shorter than this; a farther `data:` belongs to something else. */
const longestMediaType = 200;
const marker = ';base64,';
/** How the base64 of PNG, JPEG, GIF, WebP and PDF begins where no data URL announces it: in quotes, or at the start. */
const bareBinary = /(?:^\s*|["'])(?=iVBORw0KGgo|\\?\/9j\\?\/|R0lGOD|UklGR|JVBERi0)/g;
/** What stands near such a binary in stringified JSON. Looking for it spares every other text the slower search. */
const announces = (text: string): boolean => text.includes('base64') || text.includes('image/');

/**
 * Finds the base64 binaries inside a text, in order: data URLs, and base64 that begins like a picture or a PDF, quoted
 * (as in a stringified tool result) or as the whole text. Linear in the length of the text.
 * @param minimum shortest base64 stretch, in characters, worth reporting
 */
export function embeddedBinaries(text: string, minimum: number): EmbeddedBinary[] {
  const found: EmbeddedBinary[] = [];
  if (text.length < minimum) return found;
  for (let at = text.indexOf(marker); at >= 0; at = text.indexOf(marker, at + 1)) {
    const before = text.slice(Math.max(0, at - longestMediaType), at);
    const mediaType = /data:([^\s"'<>()]*)$/.exec(before)?.[1];
    const end = endOfBase64(text, at + marker.length);
    if (mediaType !== undefined && end - at >= minimum) {
      const start = at - mediaType.length - 5;
      found.push({ start, end, binary: { source: text.slice(start, end), mediaType: mediaType.split(';')[0] } });
    }
    at = end - 1;
  }
  const searched = announces(text) ? text : text.slice(0, minimum);
  bareBinary.lastIndex = 0;
  for (let match = bareBinary.exec(searched); match; match = bareBinary.exec(searched)) {
    const start = match.index + match[0].length;
    const end = endOfBase64(text, start);
    bareBinary.lastIndex = end;
    // What begins inside a data URL cannot be quoted, so nothing is found twice.
    if (end - start >= minimum) found.push({ start, end, binary: { source: text.slice(start, end) } });
  }
  return found.sort((a, b) => a.start - b.start);
}

// Line by line: one pattern for all lines would overflow the stack of the regular expression on large files.
function endOfBase64(text: string, from: number): number {
  firstLine.lastIndex = from;
  firstLine.test(text);
  let end = firstLine.lastIndex;
  nextLine.lastIndex = end;
  while (nextLine.test(text)) end = nextLine.lastIndex;
  return end;
}
