import { isBlank } from './characters.ts';
import type { Matcher } from './rule.ts';
import type { Source } from './source.ts';
import { matchAt } from './sticky.ts';
import { isExpression, isMixed, isPlaceholder } from './value.ts';

/** A flag belongs to a command that stands no further back. */
const COMMAND_REACH = 1000;
const VALUE = /(?:=|[ \t]{0,4})(\\{0,7}["'])?([^\s"'`\\,:\]}][^\s"'`\\]{0,511})/y;

/** What stands behind a flag; its end is `VALUE.lastIndex`. Null for nothing and for stand-ins. */
function valueAfter(text: string, at: number): string | null {
  const value = matchAt(VALUE, text, at)?.[2];
  return value === undefined || isPlaceholder(value) ? null : value;
}

const reportValue = (source: Source, kind: string, length: number): void =>
  source.report(kind, VALUE.lastIndex - length, VALUE.lastIndex, 1);

const rememberCommand = (source: Source, at: number, length: number): void => {
  source.commands.set(source.text.slice(at, at + length).toLowerCase(), at);
};

/** Commands that take a password directly after `-p`, and commands that take it after a space. */
const GLUED = ['mysql', 'mariadb'];
const APART = ['sshpass', 'docker login', 'podman login'];

/** True when one of the commands precedes `at` in the same command line. */
const isAfter = (source: Source, at: number, ...commands: string[]): boolean =>
  commands.some((command) => {
    const from = source.commands.get(command);
    return from !== undefined && at - from < COMMAND_REACH && from >= source.commandStart(at);
  });

/** `curl -u user:password`, `--user`. */
function matchUser(source: Source, at: number, length: number): void {
  if (!isAfter(source, at, 'curl', 'wget')) return;
  const pair = valueAfter(source.text, at + length);
  const colon = pair?.indexOf(':') ?? -1;
  if (pair === null || colon < 0) return;
  const password = pair.slice(colon + 1);
  // `-u key:`: APIs that take a key as the user want no password.
  if (password === '') {
    if (isMixed(pair)) source.report('flag', VALUE.lastIndex - pair.length, VALUE.lastIndex - 1, 1);
  } else if (!isPlaceholder(password)) reportValue(source, 'flag', password.length);
}

/** Start of another command: after an operator, or on the next line (written `\\n` in JSON). */
const NEXT_COMMAND = /\s(?:&&|\|\|?)\s|;\s|(?<!\\)\\n/;
const PORTS = /^(?:[\d.]+:)+\d+$/;

/** `mysql -pPASSWORD` (and its siblings that begin alike), `sshpass -p PASSWORD`, `docker login -p PASSWORD`. */
function matchPassword(source: Source, at: number, length: number): void {
  const { text } = source;
  const isApart = isAfter(source, at, ...APART);
  if (!isApart && !(isAfter(source, at, ...GLUED) && !isBlank(text.charCodeAt(at + length)))) return;
  const command = Math.max(...[...GLUED, ...APART].map((one) => source.commands.get(one) ?? 0));
  if (NEXT_COMMAND.test(text.slice(command, at))) return;
  const value = valueAfter(text, at + length);
  if (value && value.length > 2 && !isExpression(value) && !/^(?:-|rotocol)/.test(value) && !PORTS.test(value)) {
    reportValue(source, 'flag', value.length);
  }
}

/** `.netrc`: `machine host login user password secret`. */
function matchNetrc(source: Source, at: number, length: number): void {
  const { text } = source;
  if (!isAfter(source, at, 'machine ') || !isBlank(text.charCodeAt(at + length))) return;
  const value = valueAfter(text, at + length);
  if (value && /login\s{1,8}\S{1,80}\s{1,8}$/.test(text.slice(Math.max(0, at - 100), at))) {
    reportValue(source, 'netrc', value.length);
  }
}

export const cliMatchers: readonly Matcher[] = [
  {
    caseSensitive: true,
    keywords: ['curl', 'wget', 'machine ', ...GLUED, ...APART],
    match: rememberCommand,
  },
  { caseSensitive: true, keywords: [' -u', ' --user', ' -U'], match: matchUser },
  { caseSensitive: true, keywords: [' -p'], match: matchPassword },
  { caseSensitive: true, keywords: ['password'], match: matchNetrc },
];
