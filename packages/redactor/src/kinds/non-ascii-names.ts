import type { Span } from '../finding.ts';
import { SearchState } from '../scan/search-state.ts';
import { matchAt, startsAt } from '../scan/sticky.ts';
import { bareEnd, closingQuote } from '../values/find-value.ts';
import type { Strength } from '../values/secret-name.ts';
import { isSecretValue } from './assignment.ts';

/** Words for "password" that are not written in ASCII. */
const password = /密[码碼]|口令|パスワード|暗証番号|비밀번호|암호|парол[ьяюе]|contraseña/giu;
/** Words for "token", "secret" and "key" that are not written in ASCII. Their value must look like a token. */
const tokenPattern =
  /令牌|凭[证據据]|密[钥鑰]|秘钥|秘密鍵|トークン|シークレット|(?:api|秘密|アクセス)キー|токен|секрет|ключ|schlüssel/giu;

/** Between the word and its value: a quote, more of the word, a colon or an equals sign in any width, or "is". */
const separator =
  /[\\"'`）)\]*]{0,17}\s{0,8}(?:[:：=＝]|=>|是|为|為|は|은|는)\*{0,2}[ \t\u3000]{0,8}(\\{0,15}["'`「『“])?/y;

/** Finds values next to a word for "password", "token" or "key" that is not written in ASCII. */
export function findNonAsciiNames(text: string): readonly Span[] {
  const state = new SearchState(text, false);
  for (const [pattern, strength] of [
    [password, 'password'],
    [tokenPattern, 'token'],
  ] as const)
    for (const { 0: word, index } of text.matchAll(pattern))
      if (startsAt(separator, text, index + word.length)) matchValue(state, index + word.length, strength);
  return state.spans;
}

function matchValue(state: SearchState, at: number, strength: Strength): void {
  const { text } = state;
  const quote = matchAt(separator, text, at)?.[1];
  const start = separator.lastIndex;
  const isAsciiQuote = quote !== undefined && /["'`]$/.test(quote);
  const quoteEnd = isAsciiQuote ? closingQuote(state, start, quote.length - 1) : -1;
  // These languages may continue without a space, so the value ends at the first non-ASCII character.
  const bare = text.slice(start, bareEnd(state, start, false)).split(/[^\0-\x7f]/, 1)[0]!;
  const end = quoteEnd >= 0 ? quoteEnd : start + bare.length;
  if (isSecretValue(text.slice(start, end), strength, quoteEnd >= 0, false))
    state.report({ kind: 'assignment', start, end });
}
