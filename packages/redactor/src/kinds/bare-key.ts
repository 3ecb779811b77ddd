import type { Matcher } from '../scan/matcher.ts';
import type { SearchState } from '../scan/search-state.ts';
import { endAt, startsAt } from '../scan/sticky.ts';
import type { KeyRun } from './key-runs.ts';
import { reportKey } from './private-key.ts';

/** Base64, including the escaped slashes that PHP and others write into JSON. */
const runPattern = /(?:[A-Za-z0-9+/]|\\{1,15}\/)*={0,2}/y;
/** From the end of one line to the base64 of the next: quotes, indentation, marks of quotations and diffs, a line number. */
const nextLine =
  /(?:\\{0,8}["'`])?[ \t]{0,8}[,+\\]?[ \t]{0,8}(?:\r?\n|\\{1,8}n)[ \t>|*-]{0,40}(?:\+[ \t])?(?:\d{1,6}[ \t]?[:|→-][ \t]?)?(?:\\{0,8}["'`])?/y;
/** The same in a list on one line. */
const nextItem = /\\{0,8}["'`][ \t]{0,8}[,+][ \t]{0,8}\\{0,8}["'`]/y;
const maxLineLength = 160;
const minKeyLength = 40;
/** How much of a blob is decoded to see what it is. */
const decoded = 128;

const isBase64 = (text: string, at: number): boolean => /[A-Za-z0-9+/]/.test(text.charAt(at));

/** Reports the base64 at `start`: on one line, or on lines of the same width and a last one that is not longer. @returns its end */
function reportRun(state: SearchState, start: number): number {
  const { text } = state;
  const first = endAt(runPattern, text, start);
  let lineStart = start;
  while (lineStart > 0 && start - lineStart < maxLineLength && isBase64(text, lineStart - 1)) lineStart -= 1;
  const width = first - lineStart;
  const lines: KeyRun[] = [{ start, end: first }];
  while (width <= maxLineLength) {
    const next = [nextLine, nextItem].find((pattern) => startsAt(pattern, text, lines.at(-1)!.end));
    if (!next) break;
    const from = next.lastIndex;
    const end = endAt(runPattern, text, from);
    // A shorter line must be the last one, and must not look like a word.
    if (end - from > width || end === from || (end - from < width && !isLast(text.slice(from, end)))) break;
    lines.push({ start: from, end });
    if (end - from < width) break;
  }
  if (lines.reduce((sum, line) => sum + line.end - line.start, 0) >= minKeyLength) reportKey(state, lines);
  return lines.at(-1)!.end;
}

const isLast = (line: string): boolean => line.endsWith('=') || /[A-Z\d+/]/.test(line.slice(1));

/**
 * Creates a matcher for base64 that is recognized by a few characters of it.
 * @param lead how many characters of the run precede them at least
 * @param accepts tests the text from there
 */
function matcher(
  keywords: readonly string[],
  lead: number,
  accepts: (text: string, start: number) => boolean,
): Matcher {
  return {
    keywords,
    caseSensitive: true,
    match(state, at) {
      const start = at - lead;
      if (start < (state.searched.get('bare-key') ?? 0) || !accepts(state.text, start)) return;
      state.searched.set('bare-key', reportRun(state, start));
    },
  };
}

/** True if the blob that begins at `start` decodes to the header of a private key. */
function isPrivateKeyHeader(text: string, start: number): boolean {
  const blob = text.slice(start, start + decoded).replace(/\\{1,8}[rn]|\\(?=\/)|[\s"'`]/g, '');
  const whole = /^[A-Za-z0-9+/]*/.exec(blob)![0];
  return atob(whole.slice(0, whole.length & ~3)).includes('PRIVATE KEY');
}

const beginsWith =
  (pattern: RegExp) =>
  (text: string, start: number): boolean =>
    (!isBase64(text, start - 1) || /(?:^|\n)\+$/.test(text.slice(Math.max(0, start - 2), start))) &&
    startsAt(pattern, text, start);

/**
 * Matchers for private keys in base64 without header and footer: a PEM file encoded once more, at each of the three
 * positions in a blob, and the body of one (PKCS #1, PKCS #8, SEC 1, OpenSSH). Certificates and public keys stay.
 */
export const bareKeyMatchers: readonly Matcher[] = [
  matcher(['LS0tLS1CRUdJTi'], 0, isPrivateKeyHeader),
  matcher(['0tLS0tQkVHSU4'], 2, isPrivateKeyHeader),
  matcher(['tLS0tLUJFR0lO'], 3, isPrivateKeyHeader),
  matcher(['IBAAKC', 'IBADANBgkqhkiG9w0BAQ'], 6, beginsWith(/MII[\w+/]{2}[AQgw]IBA/y)),
  matcher(['AgEAMBMGByqGSM49', 'AgEAMBAGByqGSM49'], 4, beginsWith(/MIG[\w+/]/y)),
  matcher(
    ['MHcCAQEEI', 'MIGkAgEBBD', 'MIHcAgEBBE', 'MC4CAQAwBQYDK2V', 'b3BlbnNzaC1rZXktdjE'],
    0,
    beginsWith(/(?=[A-Za-z0-9+/])/y),
  ),
];
