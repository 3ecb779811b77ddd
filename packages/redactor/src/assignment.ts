import { isBlank, isDigit, isUpper } from './characters.ts';
import { maskSecret, newlinesOf } from './mask.ts';
import { NAME_WORDS, type Name, nameAt, type Strength } from './name.ts';
import type { Matcher } from './rule.ts';
import type { Source } from './source.ts';
import { isExpression, isLocation, isMixed, isPlaceholder, looksRandom } from './value.ts';
import { wrappedEnd } from './wrap.ts';

/** A quoted value is followed this far; longer ones are judged by what is not quoted. */
const LONGEST_QUOTED = 4096;

/** What may stand between a name and its value: closing quote, type, operator. */
const SEPARATOR =
  /(\\{0,7}["'`])?[)\]]?[ \t]{0,40}(?:(?::[ \t]{0,4})?[A-Za-z][\w<>[\]|]{0,20}[ \t]{1,4}(?==|:=))?(=>|={1,3}|:{1,3}=|:{1,2}|[?.+]=|\|\|=?|,|>)[ \t]{0,40}/y;
const OPENING = /[rbfuRBFU]{0,2}(\\{0,7})(["'`])/y;

interface Value {
  readonly start: number;
  readonly end: number;
  readonly quoted: boolean;
}

/** The value that begins at `at`: inside quotes (of whatever escape depth), or a run without spaces. */
function valueAt(source: Source, at: number): Value {
  const { text } = source;
  OPENING.lastIndex = at;
  const opening = OPENING.exec(text);
  if (opening) {
    const start = OPENING.lastIndex;
    const end = closingQuote(source, start, opening[2]!, opening[1]!.length);
    if (end >= 0) return { start, end, quoted: true };
    return { start, end: source.runEnd(start), quoted: false };
  }
  return { start: at, end: source.runEnd(at), quoted: false };
}

/** Index where the quoted value ends that opened with `depth` backslashes and `quote`; -1 when it does not on its line. */
function closingQuote(source: Source, from: number, quote: string, depth: number): number {
  const { text } = source;
  const limit = Math.min(from + LONGEST_QUOTED, source.next('\n', from));
  let index = source.next(quote, from);
  while (index < limit) {
    let backslashes = 0;
    while (index - backslashes > from && text[index - backslashes - 1] === '\\') backslashes += 1;
    if (backslashes <= depth) return index - backslashes;
    index = source.next(quote, index + 1);
  }
  return -1;
}

/** Cuts an unquoted run where its surroundings go on: `&next=`, `;`, `, `, a closing bracket. */
function trimRun(text: string, start: number, end: number, inQuery: boolean): number {
  let run = text.slice(start, end);
  const cut = run.search(inQuery ? /[&#;]/ : /&[\w.-]{1,40}=|[,;](?:$|[\w.-]{1,40}[=:])/);
  if (cut >= 0) run = run.slice(0, cut);
  const trailing = /[,;.)\]}]{1,8}$/.exec(run.slice(-8));
  return start + run.length - (trailing ? trailing[0].length : 0);
}

/** Decides from a name's strength whether a value beside it is a secret. */
export function isSecretValue(value: string, strength: Strength, quoted: boolean, doubtful = false): boolean {
  if (isPlaceholder(value) || isLocation(value)) return false;
  if (!quoted && isExpression(value)) return false;
  if (doubtful) return looksRandom(value, 16);
  if (strength === 'password')
    return value.length >= 3 && (quoted || isMixed(value) || /[^\w.-]/.test(value) || looksRandom(value, 12));
  if (/\s/.test(value)) return false;
  if (strength === 'token') return value.length >= 6 && (isMixed(value) || looksRandom(value, 16));
  return looksRandom(value, 16) && !/^(?:[0-9a-f]{32,128}|[0-9a-f]{8}-[0-9a-f-]{27})$/i.test(value);
}

/** Upper-case name at a line's start, value straight after `=`: an environment file, where values are bare. */
function isEnvironmentLine(text: string, name: Name, separator: string): boolean {
  return separator === '=' && isUpper(text.charCodeAt(name.start)) && !isBlank(text.charCodeAt(name.end));
}

function matchName(source: Source, at: number, length: number): void {
  if (at < source.coveredTo) return;
  const { text } = source;
  const name = nameAt(text, at, length);
  if (!name) return;
  const lead = text[name.start - 1] ?? '';
  const inQuery = lead === '?' || lead === '&' || lead === '#';
  const word = text.slice(at, at + length).toLowerCase();
  if (word === 'code' && !inQuery) return;
  const isFlag = text.charCodeAt(name.start) === 45;

  SEPARATOR.lastIndex = name.end;
  const separator = SEPARATOR.exec(text);
  let valueStart = SEPARATOR.lastIndex;
  let operator = separator?.[2] ?? '';
  const keyQuote = separator?.[1] ?? '';
  if (!separator) {
    if (!isFlag || !isBlank(text.charCodeAt(name.end))) return;
    valueStart = name.end;
    while (isBlank(text.charCodeAt(valueStart))) valueStart += 1;
    operator = ' ';
  }
  if (source.codeFile && !inQuery && !isFlag) return;
  if (operator === ',' && keyQuote === '') return;
  if (operator === '>') {
    if (lead !== '<') return;
    while (text.charCodeAt(valueStart) <= 32) valueStart += 1;
  }
  const value = valueAt(source, valueStart);
  if (operator === ',' && !value.quoted) return;
  let { start, end } = value;
  if (!value.quoted) end = trimRun(text, start, end, inQuery);
  const scheme = /^(?:Bearer|Basic|Token|FlyV1)[ ]/.exec(text.slice(start, start + 8));
  if (scheme && value.quoted) start += scheme[0].length;
  const secret = text.slice(start, end);
  const quoted = value.quoted || inQuery || isFlag || isEnvironmentLine(text, name, operator);
  const strength =
    (inQuery && name.strength === 'key' && word !== 'client') || (word === 'auth' && keyQuote !== '')
      ? 'token'
      : name.strength;
  if (!isSecretValue(secret, strength, quoted, name.doubtful)) return;
  const kind = inQuery ? 'query-parameter' : isFlag ? 'flag' : keyQuote !== '' ? 'field' : 'assignment';
  // A bare number beside a quoted key is JSON: only a string may take its place.
  const bare = !value.quoted && keyQuote !== '' && isDigit(secret.charCodeAt(0)) && !/\D/.test(secret);
  if (!value.quoted) end = wrappedEnd(text, end);
  source.report(
    kind,
    start,
    end,
    1,
    bare ? (digits) => `${keyQuote}${maskSecret(digits)}${keyQuote}${newlinesOf(digits)}` : undefined,
  );
}

/** Names beside values: `DB_PASSWORD=...`, `"apiKey": "..."`, `--token ...`, `?sig=...`, `<secret>...</secret>`. */
export const assignmentMatcher: Matcher = {
  keywords: Object.keys(NAME_WORDS).filter((word) => !word.startsWith('client')),
  caseSensitive: false,
  noisy: false,
  match: matchName,
};
