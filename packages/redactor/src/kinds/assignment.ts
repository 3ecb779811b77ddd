import { maskSecret, newlinesOf } from '../mask.ts';
import { isNamePart, isUpper } from '../scan/characters.ts';
import type { Matcher } from '../scan/matcher.ts';
import type { SearchState } from '../scan/search-state.ts';
import { bareEnd, type FoundValue, findValue, isInSentence } from '../values/find-value.ts';
import { isCamelCase, isExpression, isIdentifier, isLocation, isSentence } from '../values/harmless-value.ts';
import { readListItems } from '../values/list-items.ts';
import { isMixed, isPlaceholder, looksRandom } from '../values/looks-random.ts';
import { type NameBounds, nameWords, readNameBounds, readNameMeaning, type Strength } from '../values/secret-name.ts';
import { endOfWrapped } from './wrap.ts';

/** An unquoted value of at least this length is judged once, even if it contains several names. */
const longRun = 32;

/** Hex digests and identifiers. They are secrets only next to a name of strength `token` or `password`. */
const hex = /^(?:[\da-f]{32,128}|(?:[a-z]{1,12}[-_])?[\da-f]{8}-[\da-f]{4}-[\da-f-]{0,22})$/i;
const schemePattern = /^(?:Bearer|Basic|Token|FlyV1) /;

/** Characters that occur in minified code but never in tokens. */
const codeSign = /[(){};<>!?|[\]]|&&/;

/** A variable named after its content (`accessToken`, `api_key2`): not a secret itself. */
const variable = /^[a-z_.]{0,40}(?:token|secret|key)_?\d{0,2}$/i;

/**
 * Decides whether the value of a name is a secret.
 * @param strength what the name says about its value
 * @param isSure true if the value cannot be an expression in code, for example because it is quoted
 * @param doubtful true if the name contains unknown words, so that only a random value counts
 */
export function isSecretValue(value: string, strength: Strength, isSure: boolean, doubtful: boolean): boolean {
  if (value.length < 3 || (strength !== 'password' && isIdentifier(value))) return false;
  if (!isSure && (strength !== 'password' || doubtful) && (codeSign.test(value) || isCamelCase(value))) return false;
  if (doubtful) return looksRandom(value, 16) && !isLocation(value) && (isSure || !isExpression(value));
  if (strength === 'password') {
    if (isSentence(value)) return false;
    if (!isSure && !isMixed(value) && /^[\w.-]+$/.test(value) && !looksRandom(value, 12)) return false;
  } else {
    if (!isSure && variable.test(value)) return false;
    if (
      strength === 'token'
        ? value.length < 6 || !(isMixed(value) || looksRandom(value))
        : !looksRandom(value) || hex.test(value)
    ) {
      return false;
    }
    if (/\s/.test(value)) return false;
  }
  return !isPlaceholder(value) && !isLocation(value) && (isSure || !isExpression(value));
}

/** Words with another common meaning, such as a passed test or the working directory. */
const ambiguous = new Set(['pass', 'pwd', 'pw']);
/** Words that are often followed by an identifier instead of a secret. */
const identified = new Set(['session', 'login']);
const letters = /^[A-Za-z]{10,}$/;

/** A name with a word that may stand for a secret, and its value. */
interface NamedValue {
  readonly name: NameBounds;
  readonly word: string;
  readonly place: FoundValue;
  readonly secret: string;
}

/** True if the word has another meaning here: `--- PASS: Login`, `Status::Pass =>`, `Session: 7f3a`, `["pwd", "cd"]`. */
function isOtherwise(text: string, { name, word, place, secret }: NamedValue): boolean {
  const isBare = name.end - name.start === word.length;
  if (ambiguous.has(word)) {
    if (/\s/.test(secret) || text[name.start - 1] === ':') return true;
    const isResult = isBare && isUpper(text.charCodeAt(name.start)) && !place.isQuoted && !place.isTight;
    if (isResult && place.kind === 'assignment') return true;
  }
  if (identified.has(word) && isBare && !place.isTight && !place.isQuoted) return true;
  if (place.kind === 'flag' && secret.startsWith('-')) return true;
  if (place.evidence === 'sure') return false;
  // `WITH PASSWORD 'swordfish'`: SQL keywords are in upper case.
  const isTelling = isMixed(secret) || /[^\w\s]/.test(secret);
  if (place.evidence === 'beside') {
    if (word.length < 5 || nameWords.get(word) !== 'password' || /\s/.test(secret)) return true;
    if (isExpression(secret)) return true;
    return !isTelling && !isUpper(text.charCodeAt(name.end - 1));
  }
  return /\d$/.test(text.slice(name.start, name.end)) || !isTelling;
}

function matchName(state: SearchState, at: number, word: string): void {
  if (at < state.decidedTo) return;
  const { text } = state;
  // A name that begins before the word may be a flag, which needs no sign before its value.
  if (!isNamePart(text.charCodeAt(at - 1)) && isInSentence(text, at + word.length)) return;
  const name = readNameBounds(state, at, word.length);
  if (!name) return;
  const place = findValue(state, name);
  if (!place || place.end - place.start < 3) {
    matchList(state, name, at, word);
    return;
  }
  const meaning = readNameMeaning(text, name, at, word);
  if (!meaning) return;

  const { kind, keyQuote, isQuoted } = place;
  const scheme = isQuoted ? schemePattern.exec(text.slice(place.start, place.start + 8)) : null;
  const start = place.start + (scheme ? scheme[0].length : 0);
  const secret = text.slice(start, place.end);
  if (isOtherwise(text, { name, word, place, secret })) return;
  // Upper case directly before `=` is an environment file, where values need no quotes.
  const isEnvironment = place.isTight && isUpper(text.charCodeAt(name.start));
  const isElement = text[name.start - 1] === '<' && text[place.end] === '<';
  const isSure = isQuoted || isEnvironment || isElement || kind === 'query-parameter' || kind === 'flag';
  const isRaised = isEnvironment || kind === 'query-parameter' || (keyQuote !== '' && text.startsWith('auth', at));
  const strength = isRaised && meaning.strength === 'key' ? 'token' : meaning.strength;
  // In a URL, a parameter whose name suggests a token is a secret even if its value has only letters.
  const isParameter = kind === 'query-parameter' && meaning.strength === 'token' && !meaning.doubtful;
  if (
    !isSecretValue(secret, strength, isSure, meaning.doubtful) &&
    !(isParameter && letters.test(secret) && !isPlaceholder(secret))
  ) {
    if (!isQuoted && secret.length >= longRun) state.decidedTo = place.end;
    return;
  }
  // An unquoted number after a quoted name is JSON: its mask must be a JSON string.
  const isNumber = !isQuoted && keyQuote !== '' && /^-?\d[\d.eE+-]*$/.test(secret);
  const end = isQuoted || isNumber ? place.end : endOfWrapped(text, place.end);
  const mask = isNumber
    ? (digits: string) => `${keyQuote}${maskSecret(digits)}${keyQuote}${newlinesOf(digits)}`
    : undefined;
  state.report({ kind, start, end, mask });
}

/** Matches `"tokens": ["...", "..."]`, and YAML lists with one item per line. */
function matchList(state: SearchState, name: NameBounds, at: number, word: string): void {
  const items = readListItems(state, name);
  const meaning = items.length > 0 ? readNameMeaning(state.text, name, at, word) : null;
  if (!meaning) return;
  for (const { start, end, isQuoted } of items) {
    const item = state.text.slice(start, end);
    if (ambiguous.has(word) && !isMixed(item)) continue;
    if (isSecretValue(item, meaning.strength, isQuoted, meaning.doubtful)) state.report({ kind: 'field', start, end });
  }
}

/** Matches `?code=` and `&signature=` in URLs and forms. Elsewhere these words do not suggest a secret. */
function matchParameter(state: SearchState, at: number, length: number): void {
  const { text } = state;
  if (at < state.decidedTo || !/[?&#][\w.-]{0,32}$/.test(text.slice(Math.max(0, at - 33), at))) return;
  const start = at + length;
  const end = bareEnd(state, start, true);
  if (end - start >= 8 && isSecretValue(text.slice(start, end), 'token', true, false)) {
    state.report({ kind: 'query-parameter', start, end });
  }
}

/** Matchers for named values: `DB_PASSWORD=...`, `"apiKey": "..."`, `--token ...`, `?sig=...`, `<secret>...</secret>`. */
export const assignmentMatchers: readonly Matcher[] = [
  ...[...nameWords.keys()].map(
    (word): Matcher => ({
      keywords: [word],
      match: (state, at) => matchName(state, at, word),
    }),
  ),
  { keywords: ['code=', 'sig=', 'signature=', 'assertion='], match: matchParameter },
];
