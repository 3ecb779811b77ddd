import { isBlank } from './characters.ts';
import type { Matcher } from './rule.ts';
import type { Source } from './source.ts';
import { isExpression, isMixed, isPlaceholder } from './value.ts';

/** A flag belongs to a command that stands no further back. */
const COMMAND_REACH = 1000;
const VALUE = /(?:=|[ \t]{0,4})(\\{0,7}["'])?([^\s"'`\\,:\]}][^\s"'`\\]{0,511})/y;

const rememberCommand = (source: Source, at: number, length: number): void => {
  source.commands.set(source.text.slice(at, at + length).toLowerCase(), at);
};

const isAfter = (source: Source, at: number, ...commands: string[]): boolean =>
  commands.some((command) => at - (source.commands.get(command) ?? Number.NEGATIVE_INFINITY) < COMMAND_REACH);

/** `curl -u user:password`, `--user`, `--proxy-user`. */
function matchUser(source: Source, at: number, length: number): void {
  const { text } = source;
  if (!isAfter(source, at, 'curl', 'wget')) return;
  VALUE.lastIndex = at + length;
  const pair = VALUE.exec(text)?.[2];
  const colon = pair?.indexOf(':') ?? -1;
  if (pair === undefined || colon < 0) return;
  // `-u key:`: APIs that take a key as the user want no password.
  const isUser = colon === pair.length - 1;
  const secret = isUser ? pair.slice(0, colon) : pair.slice(colon + 1);
  const start = VALUE.lastIndex - pair.length + (isUser ? 0 : colon + 1);
  if (!isPlaceholder(secret) && (!isUser || isMixed(secret))) source.report('flag', start, start + secret.length, 1);
}

/** `mysql -pPASSWORD`, `sshpass -p PASSWORD`, `docker login -p PASSWORD`. */
function matchPassword(source: Source, at: number, length: number): void {
  const { text } = source;
  const glued = isAfter(source, at, 'mysql', 'mysqldump', 'mysqladmin', 'mariadb');
  if (!glued && !isAfter(source, at, 'sshpass', 'docker login')) return;
  if (glued && isBlank(text.charCodeAt(at + length))) return;
  VALUE.lastIndex = at + length;
  const value = VALUE.exec(text)?.[2];
  if (value === undefined || isPlaceholder(value) || isExpression(value) || value.length < 3) return;
  if (value.startsWith('-') || (glued && value.startsWith('rotocol'))) return;
  source.report('flag', VALUE.lastIndex - value.length, VALUE.lastIndex, 1);
}

/** `.netrc`: `machine host login user password secret`. */
function matchNetrc(source: Source, at: number, length: number): void {
  const { text } = source;
  if (!isAfter(source, at, 'machine ') || !isBlank(text.charCodeAt(at + length))) return;
  VALUE.lastIndex = at + length;
  const value = VALUE.exec(text)?.[2];
  if (value === undefined || isPlaceholder(value)) return;
  if (!/login\s{1,8}\S{1,80}\s{1,8}$/.test(text.slice(Math.max(0, at - 100), at))) return;
  source.report('netrc', VALUE.lastIndex - value.length, VALUE.lastIndex, 1);
}

const quiet = { caseSensitive: true } as const;

export const cliMatchers: readonly Matcher[] = [
  {
    ...quiet,
    keywords: ['curl', 'wget', 'mysql', 'mysqldump', 'mysqladmin', 'mariadb', 'sshpass', 'docker login', 'machine '],
    match: rememberCommand,
  },
  { ...quiet, keywords: [' -u', ' --user', ' -U', ' --proxy-user'], match: matchUser },
  { ...quiet, keywords: [' -p'], match: matchPassword },
  { ...quiet, keywords: ['password'], match: matchNetrc },
];
