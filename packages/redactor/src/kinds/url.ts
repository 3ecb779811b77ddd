import { isNamePart, isWord } from '../scan/characters.ts';
import type { Matcher } from '../scan/matcher.ts';
import type { SearchState } from '../scan/search-state.ts';
import { matchAt, startsAt } from '../scan/sticky.ts';
import { isPlaceholder, looksRandom } from '../values/looks-random.ts';

/** Longest user and password of a URL together, in characters. */
const maxUserinfoLength = 512;
/** Schemes whose passwords contain no `/`. Passwords in connection strings may. */
const web = /(?:^|[^\w.-])(?:https?|s?ftp|ssh|git|wss?)$/i;
const host = /@(?:\[[\da-fA-F:]{2,45}\]|[\w.-]{1,253})(?::\d{1,5})?(?:,[\w.:-]{1,253}){0,8}(?=[/?#\s"'`<>\\),;]|$)/y;

/** True if the scheme that ends at `end` is one of {@link web}. */
const isWeb = (text: string, end: number): boolean => web.test(text.slice(Math.max(0, end - 6), end));

/** Index of the `@` that ends the userinfo of the authority at `from`, or -1. */
function userinfoEnd(state: SearchState, from: number): number {
  const { text } = state;
  const limit = Math.min(state.runEnd(from), from + maxUserinfoLength);
  let at = -1;
  for (let index = from; index < limit; index += 1) {
    const code = text.charCodeAt(index);
    if (code === 64) {
      // A password may contain `@`: the separator is the last one with a host after it.
      if (at < 0 || startsAt(host, text, index)) at = index;
    } else if ((code === 47 || code === 63 || code === 35) && (at >= 0 || isWeb(text, from - 3))) return at;
    else if (code === 58 && text.startsWith('//', index + 1)) return at;
  }
  return at;
}

/** Matches the password in `scheme://user:password@host`, or the user if that is the token. */
function matchUrl(state: SearchState, at: number): void {
  const { text } = state;
  if (at < state.decidedTo || !isWord(text.charCodeAt(at - 1))) return;
  const from = at + 3;
  // Quick test: most URLs have no `@`.
  if (state.next('@', from + 1) >= Math.min(state.runEnd(from), from + maxUserinfoLength)) return;
  const end = userinfoEnd(state, from);
  if (end <= from) return;
  const userinfo = text.slice(from, end);
  const colon = userinfo.indexOf(':');
  const user = colon < 0 ? userinfo : userinfo.slice(0, colon);
  const password = userinfo.slice(user.length + 1);
  // Some services take the token as the user name, and an empty or dummy password.
  if (password === '' || password === 'x' || password === 'x-oauth-basic') {
    if (looksRandom(user, 8)) state.report({ kind: 'url-userinfo', start: from, end: from + user.length });
    return;
  }
  if (isPlaceholder(password)) return;
  state.report({ kind: 'url-userinfo', start: from + colon + 1, end, weight: 2 });
}

/** A URL without its scheme: `//user:password@host`. */
const bareAuthority = /\/\/[\w.%+-]{1,64}:([^\s/@"'`<>\\]{3,256})(?=@[\w-]{1,63}[.:/])/y;

function matchBare(state: SearchState, at: number): void {
  // Quick test: a comment usually begins with a space.
  const first = state.text.charCodeAt(at + 2);
  if (!isNamePart(first) && first !== 37 && first !== 43) return;
  const password = matchAt(bareAuthority, state.text, at)?.[1];
  if (password === undefined || isPlaceholder(password)) return;
  state.report({
    kind: 'url-userinfo',
    start: bareAuthority.lastIndex - password.length,
    end: bareAuthority.lastIndex,
    weight: 2,
  });
}

/** False for a slash, so that `//` does not match inside a longer row of slashes. */
const isNotSlash = (code: number): boolean => code !== 47;

export const urlMatchers: readonly Matcher[] = [
  { keywords: ['://'], caseSensitive: true, after: isWord, match: matchUrl },
  { keywords: ['//'], caseSensitive: true, after: isNotSlash, match: matchBare },
];
