import { caseOf, isLetter, isLower, isNamePart, isUpper, isWord } from './characters.ts';
import type { Source } from './source.ts';

/**
 * How much a name says. `password`: whatever stands beside it is secret unless it is a stand-in. `token`: a
 * value with letters and digits is. `key`: the word has harmless uses, the value must look random.
 */
export type Strength = 'password' | 'token' | 'key';

const set = (words: string): ReadonlySet<string> => new Set(words.split(' '));

/** Words that make a name a secret's name, at a word boundary in it. */
export const NAME_WORDS: ReadonlyMap<string, Strength> = new Map(
  (
    [
      [
        'password',
        'password passwd passphrase pwd pass passe passcode pw psk ' + 'passwort kennwort geheimnis wachtwoord senha',
      ],
      ['token', 'secret token credential credentials creds apikey jwt'],
      ['key', 'key auth login cookie session'],
    ] as const
  ).flatMap(([strength, words]) => words.split(' ').map((word) => [word, strength] as const)),
);

/** Before `key` these make it a secret's name; any word may be glued to them without a sign between: `authtoken`, `dbpass`. */
const TELLING = set(
  'api access secret private preshared auth master signing encryption license service account subscription deploy token client consumer shared storage admin app hmac webhook jwt session ssh write server integration x bot user id bearer db my root bind pg',
);

/** Directly before a word: what makes the name harmless. */
const HARMLESS_BEFORE = set(
  'primary foreign public cache sort partition row hash object unique next page continuation cursor sync max min num eos bos pad unk mask special idempotency ' +
    'no is has show hide toggle forgot skip without require requires s3 bucket lookup translation shortcut dedup dedupe routing message event entry composite natural',
);

/** After a word: still the same thing's name. Behind words that are neither here nor harmless a value must look random. */
const SAME_AFTER = set(
  'value raw string text prod production staging dev test live old new current default base64 base',
);

/** After a word: it is about the secret, and not the secret. */
const HARMLESS_AFTER = set(
  'id ids type count url uri path file name hash digest checksum fingerprint version arn address length size limit ttl at in status error',
);

/** The bounds of a name around one of {@link NAME_WORDS}. */
export interface NameBounds {
  readonly start: number;
  readonly end: number;
  /** True for plurals: `tokens`, `API_KEYS`. */
  readonly isPlural: boolean;
}

/** Longest name examined, in characters. Of a longer one (a path of dotted keys) only the end counts. */
const LONGEST_NAME = 128;

/**
 * Bounds of the name around the word at `at`; null when the word does not end there (`tokenizer`, `Secretary`,
 * `keyboard`).
 */
export function nameBounds(source: Source, at: number, length: number): NameBounds | null {
  const { text } = source;
  const after = text.charCodeAt(at + length);
  // `passes` is not the plural of a name.
  const isPlural = (after | 32) === 115 && !isLetter(text.charCodeAt(at + length + 1)) && text[at + length - 1] !== 'e';
  const wordEnd = isPlural ? at + length + 1 : at + length;
  const next = text.charCodeAt(wordEnd);
  if (isLower(next) || (isUpper(next) && isUpper(text.charCodeAt(wordEnd - 1)))) return null;
  if (!isNamePart(next) && !isNamePart(text.charCodeAt(at - 1))) return { start: at, end: wordEnd, isPlural };
  let [start, end] = source.nameAround(at);
  if (end - at > LONGEST_NAME) return null;
  if (at - start > LONGEST_NAME) start = at - LONGEST_NAME;
  while (end > wordEnd && !isWord(text.charCodeAt(end - 1))) end -= 1;
  // The letter of an escape (`\nTOKEN=`) is no part of the name.
  if (start > 0 && start < at && text.charCodeAt(start - 1) === 92 && 'nrtbfv'.includes(text[start]!)) start += 1;
  return { start, end, isPlural };
}

const CAMEL = /([a-z0-9])([A-Z])/g;

/** The words of a part of a name: camel case, dashes, dots and underscores part them. */
function wordsOf(part: string): string[] {
  return part
    .replace(CAMEL, '$1_$2')
    .toLowerCase()
    .split(/[\W_]+/)
    .filter((word) => word !== '');
}

/** The word that ends before `at` (signs between are skipped), not before `start`; lower case. */
function wordBefore(text: string, start: number, at: number): string {
  let end = at;
  while (end > start && !caseOf(text.charCodeAt(end - 1))) end -= 1;
  let from = end;
  while (from > start) {
    const code = text.charCodeAt(from - 1);
    if (!caseOf(code)) break;
    if (from < end && isUpper(text.charCodeAt(from)) && !isUpper(code)) break;
    from -= 1;
  }
  return text.slice(from, end).toLowerCase();
}

/** What a name says; `doubtful` when words follow that are not known here: the value must be beyond doubt. */
export interface NameMeaning {
  readonly strength: Strength;
  readonly doubtful: boolean;
}

/**
 * What the name says about its value; null when its words make it harmless (`primary_key`, `token_count`).
 * @param word the one of {@link NAME_WORDS} that stands at `at`
 */
export function meaningOf(
  text: string,
  { start, end, isPlural }: NameBounds,
  at: number,
  word: string,
): NameMeaning | null {
  const length = word.length + Number(isPlural);
  let strength = NAME_WORDS.get(word)!;
  const last = wordBefore(text, start, at);
  if (at > start && isGlued(text, at) && !(strength === 'password' && word.length > 4) && !TELLING.has(last))
    return null;
  if (HARMLESS_BEFORE.has(last) || (strength !== 'password' && /public/i.test(text.slice(start, at)))) return null;
  // `tokens` and `secrets` are ambiguous by themselves; `apiKeys` is not.
  if (isPlural && strength === 'token' && !TELLING.has(last)) strength = 'key';

  let doubtful = false;
  for (const next of end === at + length ? [] : wordsOf(text.slice(at + length, end))) {
    // Another of the words follows (`authToken`, `secret_access_key`): it decides.
    if (HARMLESS_AFTER.has(next) || NAME_WORDS.has(next)) return null;
    if (!SAME_AFTER.has(next) && next.length > 1 && !/^v?\d+$/.test(next)) doubtful = true;
  }
  if (word === 'key') {
    // `API key: ...` in prose: the word before stands behind a space.
    const spaced = at === start && text[at - 1] === ' ' ? wordBefore(text, Math.max(0, at - 16), at) : last;
    if (HARMLESS_BEFORE.has(spaced)) return null;
    if (TELLING.has(spaced)) strength = 'token';
  }
  return { strength, doubtful };
}

/** True when the word continues another without a boundary: no sign between, and no change of case that parts them. */
function isGlued(text: string, at: number): boolean {
  const previous = text.charCodeAt(at - 1);
  if (!isLetter(previous)) return false;
  return !(isUpper(text.charCodeAt(at)) && (isLower(previous) || isLower(text.charCodeAt(at + 1))));
}
