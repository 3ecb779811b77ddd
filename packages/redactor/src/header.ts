import { beginsToken, isBlank } from './characters.ts';
import type { Matcher } from './rule.ts';
import type { Source } from './source.ts';
import { isLocation, isMixed, isPlaceholder, looksRandom } from './value.ts';

const SEPARATOR = /(?:\\{0,7}["'`])?\]?[ \t]{0,8}(?:=>|[:=,])[ \t]{0,8}(?:\\{0,7}["'`])?/y;
/** `Bearer`, `Basic`, `Api-Token`...: one word, then the credentials. */
const SCHEME = /[A-Za-z][\w-]{1,24}[ \t]{1,4}(?=[^\s"'`\\])/y;
const CREDENTIALS = /[^\s"'`\\<>,;:)\]}][^\s"'`\\<>,;)\]}]{0,4095}/y;
const PARAMETERS = /[^\r\n"'`\\<>]{1,4096}/y;

function report(source: Source, kind: string, start: number, end: number, isSure: boolean): void {
  const secret = source.text.slice(start, end);
  if (isPlaceholder(secret) || /^(?:\$|%|\{|\[)/.test(secret)) return;
  if (
    isSure
      ? secret.length >= 6 && (isMixed(secret) || looksRandom(secret, 12) || /[=/+]/.test(secret))
      : looksRandom(secret, 16) || (secret.length >= 20 && isMixed(secret))
  ) {
    source.report(kind, start, end, 1);
  }
}

/** `Authorization: <scheme> <credentials>`, with any scheme or none, as header, JSON field or dict entry. */
function matchAuthorization(source: Source, at: number, length: number): void {
  const { text } = source;
  SEPARATOR.lastIndex = at + length;
  if (!SEPARATOR.test(text)) return;
  let start = SEPARATOR.lastIndex;
  SCHEME.lastIndex = start;
  const scheme = SCHEME.exec(text)?.[0].trim() ?? '';
  if (scheme !== '') start = SCHEME.lastIndex;
  const rest = /^(?:digest|aws4-.*|oauth|hawk|signature)$/i.test(scheme) ? PARAMETERS : CREDENTIALS;
  if (start < source.decidedTo) return;
  rest.lastIndex = start;
  if (!rest.test(text)) return;
  report(source, 'authorization', start, rest.lastIndex, true);
  if (rest === PARAMETERS) source.decidedTo = Math.max(source.decidedTo, rest.lastIndex);
}

/** `Bearer <token>` wherever it stands. */
function matchBearer(source: Source, at: number, length: number): void {
  const { text } = source;
  if (at < source.decidedTo || !isBlank(text.charCodeAt(at + length)) || !beginsToken(text, at)) return;
  CREDENTIALS.lastIndex = at + length + 1;
  if (CREDENTIALS.test(text)) report(source, 'bearer-token', at + length + 1, CREDENTIALS.lastIndex, false);
}

const PAIR = /[ ]{0,2}[^\s=;"'`\\]{1,120}=([^\s;"'`\\,]{0,4096})(?:;|$|(?=[\s"'`\\,]))/y;

/** `Cookie:` and `Set-Cookie:`: the values of its pairs, not their names or attributes. */
function matchCookie(source: Source, at: number, length: number): void {
  const { text } = source;
  const next = text.charCodeAt(at + length);
  if (next === 115 || next === 83) return;
  SEPARATOR.lastIndex = at + length;
  if (!SEPARATOR.test(text)) return;
  PAIR.lastIndex = SEPARATOR.lastIndex;
  for (let pair = PAIR.exec(text); pair; pair = PAIR.exec(text)) {
    const [whole, value] = [pair[0], pair[1]!];
    const end = PAIR.lastIndex - (whole.endsWith(';') ? 1 : 0);
    if (value.length >= 8 && isMixed(value) && !isPlaceholder(value) && !isLocation(value)) {
      source.report('cookie', end - value.length, end, 1);
    }
    if (!whole.endsWith(';')) return;
  }
}

export const headerMatchers: readonly Matcher[] = [
  { keywords: ['authorization'], caseSensitive: false, match: matchAuthorization },
  { keywords: ['bearer'], caseSensitive: false, match: matchBearer },
  { keywords: ['cookie'], caseSensitive: false, match: matchCookie },
];
