import { caseOf, isLetter, isUpper } from './characters.ts';

/** Number of characters of a value that are examined. More would hardly change its statistics. */
const JUDGED = 256;

/** Placeholders, including the empty string. */
const PLACEHOLDERS = new Set(
  (
    'test testing changeme password passwd pwd pass passphrase secret token key apikey sample dummy foo bar foobar none null ' +
    'undefined true false string str bool number object any optional required hidden masked user username empty missing mypassword ' +
    'insert replace fake todo '
  ).split(' '),
);

const PLACEHOLDER_WORD = /example|placeholder|change[-_ ]?me|^your|redacted|x{5}/i;
/** Tested only on values that contain other characters than letters and digits. */
const PLACEHOLDER_PART = /(?:^|[-_ ])(?:your|insert|replace|dummy|fake|todo)(?:$|[-_ ])|\*{3}|\.{3}$|…/i;
const PLACEHOLDER_FORM =
  /^(?:\S{6}\.{3}\S{4}$|\$|%[A-Za-z(%]|<|\{\{|\{[^"]*\}$|\[[^"]*\]$|#\{|@[A-Za-z_]+@|__[A-Z_]+__$|\(|&[a-z]{1,9};)|\$\{|\{\{|\$\(|%s|<[a-z]/;

/**
 * True for a placeholder: `changeme`, `<your-key>`, `${VAR}`, `{{ name }}`, `xxxxxxxx`, one of our own masks, or a value
 * of very few different characters.
 */
export function isPlaceholder(value: string): boolean {
  const judgement = judgementOf(value);
  judgement.isPlaceholder ??= hasPlaceholderForm(value.slice(0, JUDGED), judgement.stats);
  return judgement.isPlaceholder;
}

function hasPlaceholderForm(judged: string, stats: CharacterStats): boolean {
  return (
    PLACEHOLDERS.has(judged.toLowerCase()) ||
    (stats.letters + stats.digits < judged.length &&
      (PLACEHOLDER_FORM.test(judged) || PLACEHOLDER_PART.test(judged))) ||
    PLACEHOLDER_WORD.test(judged) ||
    monotonous(stats)
  );
}

/** Character statistics of the start of a value. */
export interface CharacterStats {
  readonly letters: number;
  readonly digits: number;
  readonly upper: number;
  /** Changes between lower case, upper case and digits; separators do not count. */
  readonly changes: number;
  /** Pairs of neighbours that count up, as in `abc` and `123`. */
  readonly steps: number;
  /** Number of different characters. */
  readonly distinct: number;
  /** Occurrences of the most frequent character. */
  readonly most: number;
  /** Number of characters examined. */
  readonly length: number;
}

const counts = new Uint16Array(128);
/** Number of characters of each case, indexed by the result of `caseOf`. */
const cases = new Uint16Array(5);

interface Judgement {
  readonly value: string;
  readonly stats: CharacterStats;
  isPlaceholder?: boolean;
}

let known: Judgement | null = null;

/** Returns the memoized results for a value. Only the last value is kept, because several checks in a row ask about it. */
function judgementOf(value: string): Judgement {
  if (known?.value !== value) known = { value, stats: measure(value) };
  return known;
}

/** Returns the character statistics of a value. The last result is memoized. */
export function statsOf(value: string): CharacterStats {
  return judgementOf(value).stats;
}

function measure(value: string): CharacterStats {
  let changes = 0;
  let steps = 0;
  let distinct = 0;
  let most = 0;
  let previous = 0;
  let previousCase = 0;
  const length = Math.min(value.length, JUDGED);
  counts.fill(0);
  cases.fill(0);
  for (let index = 0; index < length; index += 1) {
    const code = value.charCodeAt(index);
    const one = caseOf(code);
    cases[one]! += 1;
    if (one !== 0) {
      // Written without a branch: on random characters it would be mispredicted half of the time.
      changes += ((one ^ previousCase) + 7) >> 3;
      steps += Number((code | 32) === (previous | 32) + 1);
      previousCase = one;
    }
    previous = code;
    const count = (counts[code & 127]! += 1);
    distinct += Number(count === 1);
    most = Math.max(most, count);
  }
  const upper = cases[2]!;
  return {
    letters: upper + cases[4]!,
    digits: cases[1]!,
    upper,
    // The loop counts the first character as a change too.
    changes: changes - Math.min(1, previousCase),
    steps,
    distinct,
    most,
    length,
  };
}

const monotonous = ({ length, most, distinct }: CharacterStats): boolean =>
  length >= 6 && (most * 2 > length || (length >= 16 && distinct <= 4));

/** True if one character makes up more than half of a value, or at most four different ones make up a long value. */
export function isMonotonous(value: string): boolean {
  return monotonous(statsOf(value));
}

/**
 * True for a value that looks randomly generated: at least `least` characters, with digits or both cases, that often
 * change between upper case, lower case and digits, and do not count up. Random base 62 changes at 60 % of its characters,
 * base 36 at 40 %, hex at 47 %; camel case at 20 %, other identifiers at under 10 %.
 */
export function looksRandom(value: string, least = 16): boolean {
  return value.length >= least && isRandom(statsOf(value)) && !isPlaceholder(value);
}

function isRandom(stats: CharacterStats): boolean {
  const { letters, digits, upper, changes, steps, length } = stats;
  const isMixedCase = upper > 0 && upper < letters;
  if (letters === 0 || (digits === 0 && !isMixedCase) || monotonous(stats)) return false;
  const isRestless = isMixedCase ? changes * 20 >= length * (digits === 0 ? 7 : 6) : changes * 7 >= length;
  return isRestless && changes >= 3 && steps * 5 < length * 2;
}

/** True if a value has both letters and digits (`hunter2`, `9f86d0`), or is a long number. */
export function isMixed(value: string): boolean {
  const { letters, digits } = statsOf(value);
  return (letters > 0 && digits > 0) || digits >= 15;
}

const CODE = /^[!&*]?[A-Za-z_$][\w$]*(?:\??\.[A-Za-z_$][\w$]*)*(?:!?[([]|\?\.|::|->)/;
const DOTTED = /^[A-Za-z_$]\w*(?:\.[A-Za-z_$]\w*)+$/;
/** A borrowed type (`&str`, `&'a str`) or a pointer. */
const REFERENCE = /^[&*]'?[A-Za-z_][\w:]*$/;
const PATH = /^(?:\.{0,2}\/|~\/|[A-Za-z]:\\)[\w.@ /\\-]*$|^[a-z]{1,24}:\/\//;
/** Relative path, such as `uploads/2024/report.pdf`. Base64 with a slash matches too, so callers check further. */
const RELATIVE_PATH = /^[\w.@ -]{1,80}\/[\w.@ /-]{0,255}$/;
const HAS_EXTENSION = /\.[A-Za-z]\w{0,6}$/;
/** Blockchain address, memory address or hexadecimal number. */
const ADDRESS = /^0x[\da-f]{1,40}$/i;
/** Identifier of several parts, such as `agent:main:group:7`. */
const STRUCTURED = /^[a-z]{2,20}(?::[\w.@-]{0,40}){2,12}$/i;

/** True for an unquoted value that is an expression: a call, an index, a dotted name. */
export function isExpression(value: string): boolean {
  const judged = value.slice(0, JUDGED);
  if (REFERENCE.test(judged)) return !looksRandom(judged, 12);
  return CODE.test(judged) || (DOTTED.test(judged) && !looksRandom(judged, 24));
}

/** True for a file path or a URL, which may point to a secret but is not one. */
export function isLocation(value: string): boolean {
  const judged = value.slice(0, JUDGED);
  if (!PATH.test(judged)) return false;
  // Random base64 may begin with a slash too. A path has words between its slashes.
  return !looksRandom(judged.replace(/\//g, ''), 24) || judged.includes('.') || isLetter(judged.charCodeAt(0));
}

/** True for harmless values of names such as `key` and `token`: a path in a bucket, an address, a compound name. */
export function isIdentifier(value: string): boolean {
  const judged = value.slice(0, JUDGED);
  if (ADDRESS.test(judged)) return true;
  if (STRUCTURED.test(judged)) return judged.split(':').every((part) => !looksRandom(part, 20));
  return RELATIVE_PATH.test(judged) && (HAS_EXTENSION.test(judged) || !looksRandom(judged.replace(/\//g, ''), 24));
}

/** Camel case with few digits. At least one capitalized word is required: all lower case could be a token. */
const CAMEL_CASE = /^[a-z_$]{0,40}(?:\d[a-z]{1,40})?(?:[A-Z][a-z]{1,40}\d{0,2}){1,12}$/;

/** True for a camel-case identifier such as `isApiKeyProvider`: its words average four letters, unlike random text. */
export function isCamelCase(value: string): boolean {
  if (value.length > 80 || !CAMEL_CASE.test(value)) return false;
  const { upper, digits, length } = statsOf(value);
  return length >= 4 * (upper + Number(!isUpper(value.charCodeAt(0)))) && digits <= 2;
}

const SENTENCE_WORDS =
  /(?:^|[ '"])(?:the|a|an|is|are|was|must|should|to|be|not|no|of|for|and|or|in|on|at|with|your|you|my|this|that|it|please|enter|invalid|incorrect|wrong|required|forgot|reset|new|old|confirm|current|repeat|change|choose|show|hide|least|characters|all|tests?)(?:$|[ '".,:;!?])/i;

/** At least four words, the first of them capitalized. */
const CAPITALISED = /^[A-Z][a-z]{0,32} \S{1,32} [a-z]\S{0,32} \S/;

/** True for the text of a label or message (`Enter your password`), but not for a passphrase of random words. */
export function isSentence(value: string): boolean {
  const isWords = /^\S+ \S/.test(value) && (SENTENCE_WORDS.test(value) || CAPITALISED.test(value));
  return isWords && !looksRandom(value.replace(/\s/g, ''), 16);
}
