import { caseOf } from '../scan/characters.ts';

/** Number of characters of a value that are examined. More would hardly change its statistics. */
export const maxJudgedLength = 256;

/** Placeholders, including the empty string. */
const placeholders = new Set(
  (
    'test testing changeme password passwd pwd pass passphrase secret token key apikey sample dummy foo bar foobar none null ' +
    'undefined true false string str bool number object any optional required hidden masked user username empty missing mypassword ' +
    'insert replace fake todo '
  ).split(' '),
);

const placeholderWord = /example|placeholder|change[-_ ]?me|^your|redacted|x{5}/i;
/** Tested only on values that contain other characters than letters and digits. */
const placeholderPart = /(?:^|[-_ ])(?:your|insert|replace|dummy|fake|todo)(?:$|[-_ ])|\*{3}|\.{3}$|…/i;
const placeholderForm =
  /^(?:\S{6}\.{3}\S{4}$|\$|%[A-Za-z(%]|<|\{\{|\{[^"]*\}$|\[[^"]*\]$|#\{|@[A-Za-z_]+@|__[A-Z_]+__$|\(|&[a-z]{1,9};)|\$\{|\{\{|\$\(|%s|<[a-z]/;

/**
 * True for a placeholder: `changeme`, `<your-key>`, `${VAR}`, `{{ name }}`, `xxxxxxxx`, one of our own masks, or a value
 * of very few different characters.
 */
export function isPlaceholder(value: string): boolean {
  const judgement = judgementOf(value);
  judgement.isPlaceholder ??= hasPlaceholderForm(value.slice(0, maxJudgedLength), judgement.stats);
  return judgement.isPlaceholder;
}

function hasPlaceholderForm(judged: string, stats: CharacterStats): boolean {
  return (
    placeholders.has(judged.toLowerCase()) ||
    (stats.letters + stats.digits < judged.length && (placeholderForm.test(judged) || placeholderPart.test(judged))) ||
    placeholderWord.test(judged) ||
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
  const length = Math.min(value.length, maxJudgedLength);
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
export function looksRandom(value: string, minLength = 16): boolean {
  return value.length >= minLength && isRandom(statsOf(value)) && !isPlaceholder(value);
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
