import { isWord } from './characters.ts';
import type { Matcher } from './rule.ts';
import type { Source } from './source.ts';
import { matchAt, startsAt } from './sticky.ts';
import { isPlaceholder, looksRandom } from './value.ts';

/** A URL's user and password together are no longer. */
const LONGEST_USERINFO = 512;
/** Schemes whose passwords hold no `/`; those of connection strings may. */
const WEB = /(?:^|[^\w.-])(?:https?|s?ftp|ssh|git|wss?)$/i;
const HOST = /@(?:\[[\da-fA-F:]{2,45}\]|[\w.-]{1,253})(?::\d{1,5})?(?:,[\w.:-]{1,253}){0,8}(?=[/?#\s"'`<>\\),;]|$)/y;

/** True when the scheme that ends at `end` is one of {@link WEB}. */
const isWeb = (text: string, end: number): boolean => WEB.test(text.slice(Math.max(0, end - 6), end));

/** Where the userinfo of the authority at `from` ends (index of its `@`), or -1. */
function userinfoEnd(source: Source, from: number): number {
  const { text } = source;
  const limit = Math.min(source.runEnd(from), from + LONGEST_USERINFO);
  let at = -1;
  for (let index = from; index < limit; index += 1) {
    const code = text.charCodeAt(index);
    if (code === 64) {
      // A password may hold `@`: the last one that a host follows is the separator.
      if (at < 0 || startsAt(HOST, text, index)) at = index;
    } else if ((code === 47 || code === 63 || code === 35) && (at >= 0 || isWeb(text, from - 3))) return at;
    else if (code === 58 && text.startsWith('//', index + 1)) return at;
  }
  return at;
}

/** The password in `scheme://user:password@host`, or the user when that is the token. */
function matchUrl(source: Source, at: number): void {
  const { text } = source;
  if (at < source.decidedTo || !isWord(text.charCodeAt(at - 1))) return;
  const from = at + 3;
  // Most URLs hold no `@`; and somebody stands before it.
  if (source.next('@', from + 1) >= Math.min(source.runEnd(from), from + LONGEST_USERINFO)) return;
  const end = userinfoEnd(source, from);
  if (end <= from) return;
  const userinfo = text.slice(from, end);
  const colon = userinfo.indexOf(':');
  const user = colon < 0 ? userinfo : userinfo.slice(0, colon);
  const password = userinfo.slice(user.length + 1);
  // Some services take the token as the user name, and an empty or dummy password.
  if (password === '' || password === 'x' || password === 'x-oauth-basic') {
    if (looksRandom(user, 8)) source.report('url-userinfo', from, from + user.length, 1);
    return;
  }
  if (isPlaceholder(password)) return;
  source.report('url-userinfo', from + colon + 1, end, 2);
}

/** `//user:password@host`: a URL without its scheme. */
const BARE_AUTHORITY = /\/\/[\w.%+-]{1,64}:([^\s/@"'`<>\\]{3,256})(?=@[\w-]{1,63}[.:/])/y;

function matchBare(source: Source, at: number): void {
  const password = matchAt(BARE_AUTHORITY, source.text, at)?.[1];
  if (password === undefined || isPlaceholder(password)) return;
  source.report('url-userinfo', BARE_AUTHORITY.lastIndex - password.length, BARE_AUTHORITY.lastIndex, 2);
}

/** False after a slash, so that `//` does not match within a longer row of slashes. */
const mayOpen = (code: number): boolean => code !== 47;

export const urlMatchers: readonly Matcher[] = [
  { keywords: ['://'], caseSensitive: true, after: isWord, match: matchUrl },
  { keywords: ['//'], caseSensitive: true, after: mayOpen, match: matchBare },
];
