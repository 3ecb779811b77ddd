import { beginsToken, isBlank } from '../scan/characters.ts';
import type { Matcher } from '../scan/matcher.ts';
import type { SearchState } from '../scan/search-state.ts';
import { matchAt, startsAt } from '../scan/sticky.ts';
import { isMixed } from '../values/looks-random.ts';
import { isSecretValue } from './assignment.ts';

const separator = /(?:\\{0,7}["'`])?\]?[ \t]{0,8}(?:=>|[:=,])[ \t]{0,8}(?:\\{0,7}["'`])?/y;
/** An authorization scheme (`Bearer`, `Basic`, `Api-Token`): one word before the credentials. */
const schemePattern = /[A-Za-z][\w-]{1,24}[ \t]{1,4}(?=[^\s"'`\\])/y;
const credentials = /[^\s"'`\\<>,;:)\]}][^\s"'`\\<>,;)\]}]{0,4095}/y;
const parameters = /[^\r\n"'`\\<>]{1,4096}/y;

/** True for possible base64. `user:password` in base64 may have no digits and not look random. */
const isBase64 = (text: string): boolean => text.length % 4 === 0 && /[a-z]/.test(text) && /[A-Z]/.test(text);

/** The place of credentials. */
interface Credentials {
  readonly kind: string;
  readonly start: number;
  readonly end: number;
  readonly isBasic?: boolean;
}

function report(state: SearchState, { kind, start, end, isBasic = false }: Credentials): void {
  const secret = state.text.slice(start, end);
  if ((isBasic && isBase64(secret)) || isSecretValue(secret, 'token', true, false)) state.report({ kind, start, end });
}

/** Matches `Authorization: <scheme> <credentials>`, with any scheme or none, as a header, JSON field or dict entry. */
function matchAuthorization(state: SearchState, at: number, length: number): void {
  const { text } = state;
  if (!startsAt(separator, text, at + length)) return;
  let start = separator.lastIndex;
  const scheme = matchAt(schemePattern, text, start)?.[0].trim() ?? '';
  if (scheme !== '') start = schemePattern.lastIndex;
  const rest = /^(?:digest|aws4-.*|oauth|hawk|signature)$/i.test(scheme) ? parameters : credentials;
  if (start < state.decidedTo || !startsAt(rest, text, start)) return;
  const end = rest.lastIndex;
  if (rest === credentials) report(state, { kind: 'authorization', start, end, isBasic: /^basic$/i.test(scheme) });
  else if (isMixed(text.slice(start, end))) state.report({ kind: 'authorization', start, end, mask: () => '***' });
}

/** Matches `Bearer <token>` anywhere. */
function matchBearer(state: SearchState, at: number, length: number): void {
  const { text } = state;
  if (at < state.decidedTo || !isBlank(text.charCodeAt(at + length)) || !beginsToken(text, at)) return;
  if (startsAt(credentials, text, at + length + 1) && credentials.lastIndex - at > 20)
    report(state, { kind: 'bearer-token', start: at + length + 1, end: credentials.lastIndex });
}

const pairPattern = /[ ]{0,2}[^\s=;"'`\\]{1,120}=([^\s;"'`\\,]{0,4096})(?:;|$|(?=[\s"'`\\,]))/y;

/** Matches the values in `Cookie:` and `Set-Cookie:`, but not their names or attributes. */
function matchCookie(state: SearchState, at: number, length: number): void {
  const { text } = state;
  if (!startsAt(separator, text, at + length)) return;
  for (let pair = matchAt(pairPattern, text, separator.lastIndex); pair; pair = pairPattern.exec(text)) {
    const [whole, value] = [pair[0], pair[1]!];
    const end = pairPattern.lastIndex - (whole.endsWith(';') ? 1 : 0);
    if (value.length >= 8) report(state, { kind: 'cookie', start: end - value.length, end });
    // Keeps other matchers from reading the name of this cookie as part of another value.
    if (end > state.decidedTo) state.decidedTo = end;
    if (!whole.endsWith(';')) return;
  }
}

export const headerMatchers: readonly Matcher[] = [
  { keywords: ['authorization'], match: matchAuthorization },
  { keywords: ['bearer'], match: matchBearer },
  { keywords: ['cookie'], match: matchCookie },
];
