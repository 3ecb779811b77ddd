import { isUpper } from './characters.ts';
import { maskSecret, newlinesOf } from './mask.ts';
import { meaningOf, NAME_WORDS, nameBounds, type Strength } from './name.ts';
import { bareEnd, placeOf } from './place.ts';
import type { Matcher } from './rule.ts';
import type { Source } from './source.ts';
import { isExpression, isLocation, isMixed, isPlaceholder, looksRandom } from './value.ts';
import { wrappedEnd } from './wrap.ts';

/** A bare value from this length on is judged once, however many names stand in it. */
const LONG_RUN = 32;

/** Digests and identifiers: they need a name that leaves no doubt. */
const HEX = /^(?:[\da-f]{32,128}|[\da-f]{8}-[\da-f-]{27})$/i;
const SCHEME = /^(?:Bearer|Basic|Token|FlyV1) /;

/** Decides from a name's strength whether a value beside it is a secret. */
export function isSecretValue(value: string, strength: Strength, isSure: boolean, doubtful: boolean): boolean {
  if (value.length < 3) return false;
  if (doubtful) return looksRandom(value, 16) && !isLocation(value) && (isSure || !isExpression(value));
  if (strength === 'password') {
    if (!isSure && !isMixed(value) && /^[\w.-]+$/.test(value) && !looksRandom(value, 12)) return false;
  } else {
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

function matchName(source: Source, at: number, word: string): void {
  if (at < source.decidedTo) return;
  const { text } = source;
  const { length } = word;
  const name = nameBounds(source, at, length);
  if (!name) return;
  const place = placeOf(source, name);
  if (!place || place.end - place.start < 3) return;
  const meaning = meaningOf(text, name, at, word);
  if (!meaning) return;

  const { kind, keyQuote, isQuoted } = place;
  const scheme = isQuoted ? SCHEME.exec(text.slice(place.start, place.start + 8)) : null;
  const start = place.start + (scheme ? scheme[0].length : 0);
  const secret = text.slice(start, place.end);
  // Upper case before a tight `=`: an environment file, where values stand without quotes.
  const isEnvironment = place.isTight && isUpper(text.charCodeAt(name.start));
  const isSure = isQuoted || isEnvironment || kind === 'query-parameter' || kind === 'flag';
  const isRaised = isEnvironment || kind === 'query-parameter' || (keyQuote !== '' && text.startsWith('auth', at));
  const strength = isRaised && meaning.strength === 'key' ? 'token' : meaning.strength;
  if (!isSecretValue(secret, strength, isSure, meaning.doubtful)) {
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
