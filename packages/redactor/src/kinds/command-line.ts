import { isBlank } from '../scan/characters.ts';
import type { Matcher } from '../scan/matcher.ts';
import type { SearchState } from '../scan/search-state.ts';
import { endAt, matchAt } from '../scan/sticky.ts';
import { isExpression } from '../values/harmless-value.ts';
import { isMixed, isPlaceholder } from '../values/looks-random.ts';

/** Largest distance, in characters, between a command and a flag that belongs to it. */
const commandReach = 1000;
const valuePattern = /(?:=|[ \t]{0,4})(\\{0,7}["'])?([^\s"'`\\,:\]}][^\s"'`\\]{0,511})/y;

/** Reads the value after a flag. Its end is `VALUE.lastIndex`. Null if it is missing or a placeholder. */
function valueAfter(text: string, at: number): string | null {
  const value = matchAt(valuePattern, text, at)?.[2];
  return value === undefined || isPlaceholder(value) ? null : value;
}

const reportValue = (state: SearchState, kind: string, length: number): void =>
  state.report({ kind, start: valuePattern.lastIndex - length, end: valuePattern.lastIndex });

const rememberCommand = (state: SearchState, at: number, length: number): void => {
  state.commands.set(state.text.slice(at, at + length).toLowerCase(), at);
};

/** Commands that take a password directly after `-p` (attached), and commands that take it after a space (separate). */
const attached = ['mysql', 'mariadb'];
const separate = ['sshpass', 'docker login', 'podman login'];

/** True when one of the commands precedes `at` in the same command line. */
const isAfter = (state: SearchState, at: number, ...commands: string[]): boolean =>
  commands.some((command) => {
    const from = state.commands.get(command);
    return from !== undefined && at - from < commandReach && from >= state.commandStart(at);
  });

/** One part of a shell word: quoted, or bare. The quotes may be escaped. */
const wordPart = /(\\{0,7}["'])([^"'\\\r\n]{0,512})\1|[^\s"'`\\]{1,512}/y;
const maxParts = 8;
/** Between a flag and its value. */
const flagGap = /=|[ \t]{0,8}(?:\\\r?\n[ \t]{0,80})?/y;

interface WordPart {
  readonly start: number;
  readonly text: string;
}

/** The shell word at an index as its parts without quotes: `name:'secret'` has two. */
function wordParts(text: string, from: number): WordPart[] {
  const parts: WordPart[] = [];
  let at = from;
  while (parts.length < maxParts) {
    const part = matchAt(wordPart, text, at);
    if (!part) break;
    parts.push({ start: at + (part[1]?.length ?? 0), text: part[2] ?? part[0] });
    at = wordPart.lastIndex;
  }
  return parts;
}

/** Matches `curl -u user:password` and `--user`, with quotes around all or a part of it, and without a user. */
function matchUser(state: SearchState, at: number, length: number): void {
  if (!isAfter(state, at, 'curl', 'wget')) return;
  const { text } = state;
  // A longer flag, such as `--user-agent`.
  if (length > 3 && !/[\s=]/.test(text.charAt(at + length))) return;
  const parts = wordParts(text, endAt(flagGap, text, at + length));
  const word = parts.map((part) => part.text).join('');
  const colon = word.indexOf(':');
  if (colon < 0) return;
  const password = word.slice(colon + 1);
  // `-u key:`: some APIs take the key as the user name, with an empty password.
  const isUser = /^[,\]}]*$/.test(password);
  if (isUser ? !isMixed(word) || isPlaceholder(word) : isPlaceholder(password)) return;
  const [from, to] = isUser ? [0, colon] : [colon + 1, word.length];
  let before = 0;
  for (const { start, text: part } of parts) {
    const [first, last] = [Math.max(from - before, 0), Math.min(to - before, part.length)];
    before += part.length;
    if (first < last) state.report({ kind: 'flag', start: start + first, end: start + last });
  }
}

/** Start of another command: after an operator, or on the next line (`\\n` in JSON). */
const nextCommand = /\s(?:&&|\|\|?)\s|;\s|(?<!\\)\\n/;
const ports = /^(?:[\d.]+:)+\d+$/;

/** Matches `mysql -pPASSWORD` (also `mysqldump` and the like), `sshpass -p PASSWORD`, `docker login -p PASSWORD`. */
function matchPassword(state: SearchState, at: number, length: number): void {
  const { text } = state;
  const isSeparate = isAfter(state, at, ...separate);
  if (!isSeparate && !(isAfter(state, at, ...attached) && !isBlank(text.charCodeAt(at + length)))) return;
  const command = Math.max(...[...attached, ...separate].map((one) => state.commands.get(one) ?? 0));
  if (nextCommand.test(text.slice(command, at))) return;
  const value = valueAfter(text, at + length);
  if (value && value.length > 2 && !isExpression(value) && !/^(?:-|rotocol)/.test(value) && !ports.test(value)) {
    reportValue(state, 'flag', value.length);
  }
}

/** Matches a line of `.netrc`: `machine host login user password secret`. */
function matchNetrc(state: SearchState, at: number, length: number): void {
  const { text } = state;
  if (!isAfter(state, at, 'machine ') || !isBlank(text.charCodeAt(at + length))) return;
  const value = valueAfter(text, at + length);
  if (value && /login\s{1,8}\S{1,80}\s{1,8}$/.test(text.slice(Math.max(0, at - 100), at))) {
    reportValue(state, 'netrc', value.length);
  }
}

export const commandLineMatchers: readonly Matcher[] = [
  {
    caseSensitive: true,
    keywords: ['curl', 'wget', 'machine ', ...attached, ...separate],
    match: rememberCommand,
  },
  { caseSensitive: true, keywords: [' -u', ' --user', ' -U', ' --proxy-user'], match: matchUser },
  { caseSensitive: true, keywords: [' -p'], match: matchPassword },
  { caseSensitive: true, keywords: ['password'], match: matchNetrc },
];
