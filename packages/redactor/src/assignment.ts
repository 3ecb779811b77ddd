import { isUpper } from './characters.ts';
import { listItems } from './list.ts';
import { maskSecret, newlinesOf } from './mask.ts';
import { meaningOf, NAME_WORDS, type NameBounds, nameBounds, type Strength } from './name.ts';
import { bareEnd, type Place, placeOf } from './place.ts';
import type { Matcher } from './rule.ts';
import type { Source } from './source.ts';
import {
  isCamelCase,
  isExpression,
  isIdentifier,
  isLocation,
  isMixed,
  isPlaceholder,
  isSentence,
  looksRandom,
} from './value.ts';
import { wrappedEnd } from './wrap.ts';

/** A bare value from this length on is judged once, however many names stand in it. */
const LONG_RUN = 32;

/** Digests and identifiers: they need a name that leaves no doubt. */
const HEX = /^(?:[\da-f]{32,128}|(?:[a-z]{1,12}[-_])?[\da-f]{8}-[\da-f]{4}-[\da-f-]{0,22})$/i;
const SCHEME = /^(?:Bearer|Basic|Token|FlyV1) /;

/** Characters that minified code contains and tokens never do. */
const CODE_SIGN = /[(){};<>!?|[\]]|&&/;

/** A variable named after its content (`accessToken`, `api_key2`), which is not a secret itself. */
const VARIABLE = /^[a-z_.]{0,40}(?:token|secret|key)_?\d{0,2}$/i;

/** Decides from a name's strength whether a value beside it is a secret. */
export function isSecretValue(value: string, strength: Strength, isSure: boolean, doubtful: boolean): boolean {
  if (value.length < 3 || (strength !== 'password' && isIdentifier(value))) return false;
  if (!isSure && (strength !== 'password' || doubtful) && (CODE_SIGN.test(value) || isCamelCase(value))) return false;
  if (doubtful) return looksRandom(value, 16) && !isLocation(value) && (isSure || !isExpression(value));
  if (strength === 'password') {
    if (isSentence(value)) return false;
    if (!isSure && !isMixed(value) && /^[\w.-]+$/.test(value) && !looksRandom(value, 12)) return false;
  } else {
    if (!isSure && VARIABLE.test(value)) return false;
    if (
      strength === 'token'
        ? value.length < 6 || !(isMixed(value) || looksRandom(value))
        : !looksRandom(value) || HEX.test(value)
    ) {
      return false;
    }
    if (/\s/.test(value)) return false;
  }
  return !isPlaceholder(value) && !isLocation(value) && (isSure || !isExpression(value));
}

/** Words with another common meaning: a test that passed, the working directory. */
const AMBIGUOUS = new Set(['pass', 'pwd', 'pw']);
/** Words that are often followed by an identifier instead of a secret. */
const IDENTIFIED = new Set(['session', 'login']);
const LETTERS = /^[A-Za-z]{10,}$/;

/** True where the word means something else: `--- PASS: Login`, `Status::Pass =>`, `Session: 7f3a`, `["pwd", "cd"]`. */
function isOtherwise(text: string, name: NameBounds, word: string, place: Place, secret: string): boolean {
  const isBare = name.end - name.start === word.length;
  if (AMBIGUOUS.has(word)) {
    if (/\s/.test(secret) || text[name.start - 1] === ':') return true;
    const isResult = isBare && isUpper(text.charCodeAt(name.start)) && !place.isQuoted && !place.isTight;
    if (isResult && place.kind === 'assignment') return true;
  }
  if (IDENTIFIED.has(word) && isBare && !place.isTight && !place.isQuoted) return true;
  if (place.kind === 'flag' && secret.startsWith('-')) return true;
  if (place.evidence === 'sure') return false;
  // `WITH PASSWORD 'swordfish'`: SQL keywords are in upper case.
  const isTelling = isMixed(secret) || /[^\w\s]/.test(secret);
  if (place.evidence === 'beside') {
    if (word.length < 5 || NAME_WORDS.get(word) !== 'password' || /\s/.test(secret)) return true;
    if (isExpression(secret)) return true;
    return !isTelling && !isUpper(text.charCodeAt(name.end - 1));
  }
  return /\d$/.test(text.slice(name.start, name.end)) || !isTelling;
}

function matchName(source: Source, at: number, word: string): void {
  if (at < source.decidedTo) return;
  const { text } = source;
  const name = nameBounds(source, at, word.length);
  if (!name) return;
  const place = placeOf(source, name);
  if (!place || place.end - place.start < 3) {
    matchList(source, name, at, word);
    return;
  }
  const meaning = meaningOf(text, name, at, word);
  if (!meaning) return;

  const { kind, keyQuote, isQuoted } = place;
  const scheme = isQuoted ? SCHEME.exec(text.slice(place.start, place.start + 8)) : null;
  const start = place.start + (scheme ? scheme[0].length : 0);
  const secret = text.slice(start, place.end);
  if (isOtherwise(text, name, word, place, secret)) return;
  // Upper case before a tight `=`: an environment file, where values stand without quotes.
  const isEnvironment = place.isTight && isUpper(text.charCodeAt(name.start));
  const isElement = text[name.start - 1] === '<' && text[place.end] === '<';
  const isSure = isQuoted || isEnvironment || isElement || kind === 'query-parameter' || kind === 'flag';
  const isRaised = isEnvironment || kind === 'query-parameter' || (keyQuote !== '' && text.startsWith('auth', at));
  const strength = isRaised && meaning.strength === 'key' ? 'token' : meaning.strength;
  // In a URL, the value of a parameter with such a name is a secret even if it has only letters.
  const isParameter = kind === 'query-parameter' && meaning.strength === 'token' && !meaning.doubtful;
  if (
    !isSecretValue(secret, strength, isSure, meaning.doubtful) &&
    !(isParameter && LETTERS.test(secret) && !isPlaceholder(secret))
  ) {
    if (!isQuoted && secret.length >= LONG_RUN) source.decidedTo = place.end;
    return;
  }
  // A bare number beside a quoted name is JSON: only a string may take its place.
  const isNumber = !isQuoted && keyQuote !== '' && /^-?\d[\d.eE+-]*$/.test(secret);
  const end = isQuoted || isNumber ? place.end : wrappedEnd(text, place.end);
  const mask = isNumber
    ? (digits: string) => `${keyQuote}${maskSecret(digits)}${keyQuote}${newlinesOf(digits)}`
    : undefined;
  source.report(kind, start, end, 1, mask);
}

/** Matches `"tokens": ["...", "..."]`, and YAML lists with one item per line. */
function matchList(source: Source, name: NameBounds, at: number, word: string): void {
  const items = listItems(source, name);
  const meaning = items.length > 0 ? meaningOf(source.text, name, at, word) : null;
  if (!meaning) return;
  for (const { start, end, isQuoted } of items) {
    const item = source.text.slice(start, end);
    if (AMBIGUOUS.has(word) && !isMixed(item)) continue;
    if (isSecretValue(item, meaning.strength, isQuoted, meaning.doubtful)) source.report('field', start, end, 1);
  }
}

/** `?code=` and `&signature=` are credentials in a URL or a form; anywhere else these words say nothing. */
function matchParameter(source: Source, at: number, length: number): void {
  const { text } = source;
  if (at < source.decidedTo || !/[?&#][\w.-]{0,32}$/.test(text.slice(Math.max(0, at - 33), at))) return;
  const start = at + length;
  const end = bareEnd(text, start, true);
  if (end - start >= 8 && isSecretValue(text.slice(start, end), 'token', true, false)) {
    source.report('query-parameter', start, end, 1);
  }
}

/** Names beside values: `DB_PASSWORD=...`, `"apiKey": "..."`, `--token ...`, `?sig=...`, `<secret>...</secret>`. */
export const assignmentMatchers: readonly Matcher[] = [
  ...[...NAME_WORDS.keys()].map(
    (word): Matcher => ({
      keywords: [word],
      match: (source, at) => matchName(source, at, word),
    }),
  ),
  { keywords: ['code=', 'sig=', 'signature=', 'assertion='], match: matchParameter },
];
