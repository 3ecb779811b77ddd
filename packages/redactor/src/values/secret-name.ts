import { caseOf, isLetter, isLower, isNamePart, isUpper, isWord } from '../scan/characters.ts';
import type { SearchState } from '../scan/search-state.ts';

/**
 * How strongly a name suggests that its value is a secret. `password`: any value except a placeholder. `token`: a value
 * with letters and digits, or a random one. `key`: only a value that looks random, because the word has harmless uses.
 */
export type Strength = 'password' | 'token' | 'key';

const set = (words: string): ReadonlySet<string> => new Set(words.split(' '));

/** Words that suggest a secret when they end at a word boundary of a name. */
export const nameWords: ReadonlyMap<string, Strength> = new Map(
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

/** Before `key`, these words make it the name of a secret. They may also join any word without a separator: `authtoken`, `dbpass`. */
const secretBefore = set(
  'api access secret private preshared auth master signing encryption license service account subscription deploy token client consumer shared storage admin app hmac webhook jwt session ssh write server integration x bot user id bearer db my root bind pg',
);

/** Directly before a word, these make the name harmless. */
const harmlessBefore = set(
  'primary foreign public cache sort partition row hash object unique next page continuation cursor sync max min num eos bos pad unk mask special idempotency ' +
    'no is has show hide toggle forgot skip without require requires s3 bucket lookup translation shortcut dedup dedupe routing message event entry composite natural',
);

/** After a word, these do not change the meaning. After words listed neither here nor as harmless, the value must look random. */
const neutralAfter = set(
  'value raw string text prod production staging dev test live old new current default base64 base',
);

/** After a word, these name a property of the secret, not the secret itself. */
const harmlessAfter = set(
  'id ids type count url uri path file name hash digest checksum fingerprint version arn address length size limit ttl at in status error',
);

/** The bounds of a name around one of {@link nameWords}. */
export interface NameBounds {
  readonly start: number;
  readonly end: number;
  /** True for plurals: `tokens`, `API_KEYS`. */
  readonly isPlural: boolean;
}

/** Longest name examined, in characters. Of a longer one (a path of dotted keys) only the end is read. */
const maxNameLength = 128;

/** Reads the bounds of the name around the word at `at`; null if a longer word begins there (`tokenizer`, `Secretary`). */
export function readNameBounds(state: SearchState, at: number, length: number): NameBounds | null {
  const { text } = state;
  const after = text.charCodeAt(at + length);
  // `passes` is a verb, not the plural of a name.
  const isPlural = (after | 32) === 115 && !isLetter(text.charCodeAt(at + length + 1)) && text[at + length - 1] !== 'e';
  const wordEnd = isPlural ? at + length + 1 : at + length;
  const next = text.charCodeAt(wordEnd);
  if (isLower(next) || (isUpper(next) && isUpper(text.charCodeAt(wordEnd - 1)))) return null;
  if (!isNamePart(next) && !isNamePart(text.charCodeAt(at - 1))) return { start: at, end: wordEnd, isPlural };
  let [start, end] = state.nameAround(at);
  if (end - at > maxNameLength) return null;
  if (at - start > maxNameLength) start = at - maxNameLength;
  while (end > wordEnd && !isWord(text.charCodeAt(end - 1))) end -= 1;
  // The letter of an escape (`\nTOKEN=`) is not part of the name.
  if (start > 0 && start < at && text.charCodeAt(start - 1) === 92 && 'nrtbfv'.includes(text[start]!)) start += 1;
  return { start, end, isPlural };
}

const camel = /([a-z0-9])([A-Z])/g;

/** Splits a part of a name into lower-case words, at camel case, dashes, dots and underscores. */
function wordsOf(part: string): string[] {
  return part
    .replace(camel, '$1_$2')
    .toLowerCase()
    .split(/[\W_]+/)
    .filter((word) => word !== '');
}

/** The word before `at`, in lower case. Skips separators, and does not read before `start`. */
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

/** What a name says about its value. */
export interface NameMeaning {
  readonly strength: Strength;
  /** True if unknown words follow, so that the value itself must look like a secret. */
  readonly doubtful: boolean;
}

/**
 * Reads what a name says about its value; null if its words make it harmless (`primary_key`, `token_count`).
 * @param word the word of {@link nameWords} at `at`
 */
export function readNameMeaning(
  text: string,
  { start, end, isPlural }: NameBounds,
  at: number,
  word: string,
): NameMeaning | null {
  const length = word.length + Number(isPlural);
  let strength = nameWords.get(word)!;
  const last = wordBefore(text, start, at);
  if (at > start && isJoined(text, at) && !(strength === 'password' && word.length > 4) && !secretBefore.has(last))
    return null;
  if (harmlessBefore.has(last) || (strength !== 'password' && /public/i.test(text.slice(start, at)))) return null;
  // `tokens` and `secrets` alone are ambiguous, unlike `apiTokens`.
  if (isPlural && strength === 'token' && !secretBefore.has(last)) strength = 'key';

  let doubtful = false;
  for (const next of end === at + length ? [] : wordsOf(text.slice(at + length, end))) {
    // In `authToken` and `secret_access_key`, the last word decides.
    if (harmlessAfter.has(next) || nameWords.has(next)) return null;
    if (!neutralAfter.has(next) && next.length > 1 && !/^v?\d+$/.test(next)) doubtful = true;
  }
  if (word === 'key') {
    // `API key: ...` in prose: the previous word is separated by a space.
    const spaced = at === start && text[at - 1] === ' ' ? wordBefore(text, Math.max(0, at - 16), at) : last;
    if (harmlessBefore.has(spaced)) return null;
    if (secretBefore.has(spaced)) strength = 'token';
  }
  return { strength, doubtful };
}

/** True if the word directly continues another one, without a separator or camel case between them. */
function isJoined(text: string, at: number): boolean {
  const previous = text.charCodeAt(at - 1);
  if (!isLetter(previous)) return false;
  return !(isUpper(text.charCodeAt(at)) && (isLower(previous) || isLower(text.charCodeAt(at + 1))));
}
