import { isDigit, isLetter, isLower, isUpper } from './characters.ts';
import { isMask } from './mask.ts';

/** Only so much of a value is judged: its character statistics do not change after that. */
const JUDGED = 256;

const FIXTURES = new Set(
  (
    'test testing tests changeme change_me change-me password passwd pwd pass passphrase secret secrets token key apikey api_key ' +
    'api-key example sample dummy fake mock foo bar baz foobar qux none null nil undefined true false yes no on off string str ' +
    'number int integer float bool boolean object array list dict any unknown never void optional required default redacted ' +
    'hidden masked removed omitted todo tbd placeholder user username empty unset value text varchar bytes buffer disabled ' +
    'enabled missing invalid expired correct incorrect wrong basic bearer digest mypassword mysecret'
  ).split(' '),
);

const PLACEHOLDER_PART =
  /example|placeholder|change[-_ ]?me|(?:^|[-_ ])(?:your|insert|replace|dummy|fake|todo)(?:$|[-_ ])|^your|redacted|\*{3}|x{5}|\.{3}$|…/i;
const PLACEHOLDER_FORM =
  /^(?:\$|%[A-Za-z(%]|<|\{\{|\{[^"]*\}$|\[[^"]*\]$|#\{|@[A-Za-z_]+@|__[A-Z_]+__$|\(|&&|\|\||&[a-z]+;)|\$\{|\{\{|\$\(|%s|<[a-z]/;

/**
 * True for what stands where a secret would: `changeme`, `<your-key>`, `${VAR}`, `{{ name }}`, `xxxxxxxx`, a
 * mask of ours, or a run with hardly any different characters.
 */
export function isPlaceholder(value: string): boolean {
  if (value.length === 0 || isMask(value)) return true;
  const judged = value.slice(0, JUDGED);
  return (
    FIXTURES.has(judged.toLowerCase()) ||
    PLACEHOLDER_FORM.test(judged) ||
    PLACEHOLDER_PART.test(judged) ||
    isMonotonous(judged)
  );
}

/** True when one character makes up half of a value, or four make up all of a long one. */
export function isMonotonous(value: string): boolean {
  const judged = value.slice(0, JUDGED);
  if (judged.length < 6) return false;
  const counts = new Map<string, number>();
  let most = 0;
  for (const character of judged) {
    const count = (counts.get(character) ?? 0) + 1;
    counts.set(character, count);
    if (count > most) most = count;
  }
  return most * 2 > judged.length || (judged.length >= 16 && counts.size <= 4);
}

/** What the characters of a value say about it. */
export interface Texture {
  readonly letters: number;
  readonly digits: number;
  readonly upper: number;
  /** Changes between lower case, upper case and digits; separators do not count. */
  readonly changes: number;
  /** Neighbours that count up: `abc`, `123`. */
  readonly steps: number;
  readonly length: number;
}

export function textureOf(value: string): Texture {
  let [letters, digits, upper, changes, steps, previousClass, previous] = [0, 0, 0, 0, 0, 0, 0];
  const length = Math.min(value.length, JUDGED);
  for (let index = 0; index < length; index += 1) {
    const code = value.charCodeAt(index);
    const kind = isDigit(code) ? 1 : isLower(code) ? 2 : isUpper(code) ? 3 : 0;
    if (kind === 1) digits += 1;
    else if (kind > 1) letters += 1;
    if (kind === 3) upper += 1;
    if (kind !== 0 && previousClass !== 0 && kind !== previousClass) changes += 1;
    if (kind !== 0 && (code | 32) === (previous | 32) + 1) steps += 1;
    if (kind !== 0) previousClass = kind;
    previous = code;
  }
  return { letters, digits, upper, changes, steps, length };
}

/**
 * True for what no person would type: at least `least` characters, letters with digits or with both cases, that
 * change kind often (random base 36 does at 40 % of its characters, identifiers at under 10 %) and do not count up.
 */
export function looksRandom(value: string, least = 16): boolean {
  if (value.length < least || isPlaceholder(value)) return false;
  const { letters, digits, upper, changes, steps, length } = textureOf(value);
  if (letters === 0 || (digits === 0 && (upper === 0 || upper === letters))) return false;
  return changes * 7 >= length && changes >= 3 && steps * 5 < length * 2;
}

/** True when letters and digits (or signs that no word has) mix: `hunter2`, `p@ss`, `9f86d0`. */
export function isMixed(value: string): boolean {
  const { letters, digits } = textureOf(value);
  return (letters > 0 && digits > 0) || digits >= 15;
}

const CODE = /^[!&*]?(?:[A-Za-z_$][\w$]*)(?:\??\.[A-Za-z_$][\w$]*)*(?:[([]|\?\.|::|->)/;
const DOTTED = /^[A-Za-z_$]\w*(?:\.[A-Za-z_$][\w]*)+$/;
const PATH = /^(?:\.{0,2}\/|~\/|[A-Za-z]:\\)[\w.@ /\\-]*$|^[a-z]+:\/\//;

/** True for an unquoted value that is an expression: a call, an index, a dotted name. */
export function isExpression(value: string): boolean {
  const judged = value.slice(0, JUDGED);
  return CODE.test(judged) || (DOTTED.test(judged) && !looksRandom(judged, 24));
}

/** True for a file path or a URL: it says where a secret lies, not what it is. */
export function isLocation(value: string): boolean {
  const judged = value.slice(0, JUDGED);
  if (!PATH.test(judged)) return false;
  // Random base64 may begin with a slash; a path has words between its slashes.
  return !looksRandom(judged.replace(/\//g, ''), 24) || judged.includes('.') || isLetter(judged.charCodeAt(0));
}
