import { newlinesOf } from './mask.ts';
import type { Matcher } from './rule.ts';
import type { Source } from './source.ts';
import { startsAt } from './sticky.ts';

const HEADER = /-----BEGIN (?:[A-Z0-9]{1,12} ){0,4}PRIVATE KEY(?: BLOCK)?-----/y;
/** Characters of a header before the words that tell a private key from all that is public. */
const LONGEST_KIND = 63;
/** One line of a block: an indent, diff or quote mark, base64 or an armour header, and a line end, real or escaped. */
const LINE =
  /[ \t>|*#-]{0,8}(?:[A-Za-z][A-Za-z-]{2,20}: [^\n"\\]{0,200}|[A-Za-z0-9+/=]{0,4096})[ \t]{0,8}(?:\r?\n|\\{1,8}[rn](?:\\{1,8}n)?)/y;
const FOOTER = /[ \t>|*#-]{0,8}-----END [A-Z0-9 ]{1,60}-----/y;
/** A line that may end a block cut off: long, or ending in padding. */
const LAST_LINE = /[ \t>|*#-]{0,8}(?:[A-Za-z0-9+/]{20,4096}={0,2}|[A-Za-z0-9+/]{1,80}={1,2})/y;

/** Where the block ends whose header ends at `from`. Prose after a block cut off stays. */
function blockEnd(text: string, from: number): number {
  let [index, certain] = [from, from];
  for (;;) {
    if (startsAt(FOOTER, text, index)) return FOOTER.lastIndex;
    if (startsAt(LAST_LINE, text, index)) certain = LAST_LINE.lastIndex;
    if (!startsAt(LINE, text, index) || LINE.lastIndex === index) return certain;
    // Two empty lines or short words in a row are no longer a key.
    if (LINE.lastIndex - certain > 400) return certain;
    index = LINE.lastIndex;
  }
}

const marker = (block: string): string => `[REDACTED PRIVATE KEY]${newlinesOf(block)}`;

function matchBlock(source: Source, at: number): void {
  const { text } = source;
  const earliest = Math.max(0, at - LONGEST_KIND);
  const start = earliest + text.slice(earliest, at).lastIndexOf('-----BEGIN ');
  if (start < earliest || start < source.decidedTo || !startsAt(HEADER, text, start)) return;
  const end = blockEnd(text, HEADER.lastIndex);
  if (end > HEADER.lastIndex) source.report('private-key', start, end, 3, marker);
}

/** PEM and PGP private keys, whole or cut off; the block becomes one marker and as many newlines as it had. */
export const pemMatcher: Matcher = { keywords: ['PRIVATE KEY'], caseSensitive: true, match: matchBlock };
