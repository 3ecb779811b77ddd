import { isSecretValue } from './assignment.ts';
import type { Span } from './finding.ts';
import type { Strength } from './name.ts';
import { bareEnd, closingQuote } from './place.ts';
import { Source } from './source.ts';
import { matchAt, startsAt } from './sticky.ts';

/** Words for "password" that are not written in ASCII. */
const PASSWORD = /密[码碼]|口令|パスワード|暗証番号|비밀번호|암호|парол[ьяюе]|contraseña/giu;
/** Words for "token", "secret" and "key". The value beside them must look like a token. */
const TOKEN =
  /令牌|凭[证據据]|密[钥鑰]|秘钥|秘密鍵|トークン|シークレット|(?:api|秘密|アクセス)キー|токен|секрет|ключ|schlüssel/giu;

/** Between the word and its value: a quote, more of the word, a colon or an equals sign in any width, or "is". */
const SEPARATOR =
  /[\\"'`）)\]*]{0,17}\s{0,8}(?:[:：=＝]|=>|是|为|為|は|은|는)\*{0,2}[ \t\u3000]{0,8}(\\{0,15}["'`「『“])?/y;

/** Finds secrets beside such a word. */
export function foreignSpans(text: string): readonly Span[] {
  const source = new Source(text, false);
  for (const [pattern, strength] of [
    [PASSWORD, 'password'],
    [TOKEN, 'token'],
  ] as const)
    for (const { 0: word, index } of text.matchAll(pattern))
      if (startsAt(SEPARATOR, text, index + word.length)) matchValue(source, index + word.length, strength);
  return source.spans;
}

function matchValue(source: Source, at: number, strength: Strength): void {
  const { text } = source;
  const quote = matchAt(SEPARATOR, text, at)?.[1];
  const start = SEPARATOR.lastIndex;
  const isAsciiQuote = quote !== undefined && /["'`]$/.test(quote);
  const quoteEnd = isAsciiQuote ? closingQuote(source, start, quote.length - 1) : -1;
  // These languages may continue without a space, so the value ends at the first non-ASCII character.
  const bare = text.slice(start, bareEnd(text, start, false)).split(/[^\0-\x7f]/, 1)[0]!;
  const end = quoteEnd >= 0 ? quoteEnd : start + bare.length;
  if (isSecretValue(text.slice(start, end), strength, quoteEnd >= 0, false)) source.report('assignment', start, end, 1);
}
