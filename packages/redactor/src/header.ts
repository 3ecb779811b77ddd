import { isSecretValue } from './assignment.ts';
import { beginsToken, isBlank } from './characters.ts';
import type { Matcher } from './rule.ts';
import type { Source } from './source.ts';
import { matchAt, startsAt } from './sticky.ts';
import { isMixed } from './value.ts';

const SEPARATOR = /(?:\\{0,7}["'`])?\]?[ \t]{0,8}(?:=>|[:=,])[ \t]{0,8}(?:\\{0,7}["'`])?/y;
/** `Bearer`, `Basic`, `Api-Token`...: one word, then the credentials. */
const SCHEME = /[A-Za-z][\w-]{1,24}[ \t]{1,4}(?=[^\s"'`\\])/y;
const CREDENTIALS = /[^\s"'`\\<>,;:)\]}][^\s"'`\\<>,;)\]}]{0,4095}/y;
const PARAMETERS = /[^\r\n"'`\\<>]{1,4096}/y;

/** `user:password` in base64 may hold neither a digit nor enough to look random. */
const isBase64 = (text: string): boolean => text.length % 4 === 0 && /[a-z]/.test(text) && /[A-Z]/.test(text);

function report(source: Source, kind: string, start: number, end: number, isBasic = false): void {
  const secret = source.text.slice(start, end);
  if ((isBasic && isBase64(secret)) || isSecretValue(secret, 'token', true, false)) source.report(kind, start, end, 1);
}

/** `Authorization: <scheme> <credentials>`, with any scheme or none, as header, JSON field or dict entry. */
function matchAuthorization(source: Source, at: number, length: number): void {
  const { text } = source;
  if (!startsAt(SEPARATOR, text, at + length)) return;
  let start = SEPARATOR.lastIndex;
  const scheme = matchAt(SCHEME, text, start)?.[0].trim() ?? '';
  if (scheme !== '') start = SCHEME.lastIndex;
  const rest = /^(?:digest|aws4-.*|oauth|hawk|signature)$/i.test(scheme) ? PARAMETERS : CREDENTIALS;
  if (start < source.decidedTo || !startsAt(rest, text, start)) return;
  const end = rest.lastIndex;
  if (rest === CREDENTIALS) report(source, 'authorization', start, end, /^basic$/i.test(scheme));
  else if (isMixed(text.slice(start, end))) source.report('authorization', start, end, 1, () => '***');
}

/** `Bearer <token>` wherever it stands. */
function matchBearer(source: Source, at: number, length: number): void {
  const { text } = source;
  if (at < source.decidedTo || !isBlank(text.charCodeAt(at + length)) || !beginsToken(text, at)) return;
  if (startsAt(CREDENTIALS, text, at + length + 1) && CREDENTIALS.lastIndex - at > 20)
    report(source, 'bearer-token', at + length + 1, CREDENTIALS.lastIndex);
}

const PAIR = /[ ]{0,2}[^\s=;"'`\\]{1,120}=([^\s;"'`\\,]{0,4096})(?:;|$|(?=[\s"'`\\,]))/y;

/** `Cookie:` and `Set-Cookie:`: the values of its pairs, not their names or attributes. */
function matchCookie(source: Source, at: number, length: number): void {
  const { text } = source;
  if (!startsAt(SEPARATOR, text, at + length)) return;
  for (let pair = matchAt(PAIR, text, SEPARATOR.lastIndex); pair; pair = PAIR.exec(text)) {
    const [whole, value] = [pair[0], pair[1]!];
    const end = PAIR.lastIndex - (whole.endsWith(';') ? 1 : 0);
    if (value.length >= 8) report(source, 'cookie', end - value.length, end);
    // Its name is not to be taken for that of a value that ends with it.
    if (end > source.decidedTo) source.decidedTo = end;
    if (!whole.endsWith(';')) return;
  }
}

export const headerMatchers: readonly Matcher[] = [
  { keywords: ['authorization'], match: matchAuthorization },
  { keywords: ['bearer'], match: matchBearer },
  { keywords: ['cookie'], match: matchCookie },
];
