import { type WordExpression, wordExpression, wordLetters } from '../text/word-expression.ts';
import type { Directives } from './languages/directives.ts';
import { chinese, japanese, korean } from './languages/east-asian.ts';
import { english } from './languages/english.ts';
import { dutch, german, nordic } from './languages/germanic.ts';
import { arabic, hindi, turkish } from './languages/other-languages.ts';
import { french, italian, portuguese, spanish } from './languages/romance.ts';
import { polish, russian } from './languages/slavic.ts';

/** Languages that separate words with spaces. */
const spaced: readonly Directives[] = [
  english,
  german,
  dutch,
  nordic,
  french,
  spanish,
  portuguese,
  italian,
  russian,
  polish,
  turkish,
  arabic,
];
const unspaced: readonly Directives[] = [chinese, japanese, korean, hindi];

const all = (languages: readonly Directives[], part: keyof Directives): string =>
  languages.flatMap((language) => language[part]).join('|');

// All expressions match lower-case text. There is one expression per language: V8 does not optimize expressions over 20
// kB, and a single one for all languages would take five times as long.
const openings: readonly WordExpression[] = [...spaced, ...unspaced].flatMap(({ opening }) =>
  opening.length > 0 ? [wordExpression(`^(?:${opening.join('|')})`)] : [],
);
const within = wordExpression(
  String.raw`(?<!\p{L})(?:${all(spaced, 'within')})(?:(?<= )|(?!\p{L}))|${all(unspaced, 'within')}`,
);
const reporting = wordExpression(`(?<![${wordLetters}'’])(?:${all(spaced, 'reports')})|${all(unspaced, 'reports')}`);

/** Matches words and marks before a directive that do not change its meaning. */
const filler = wordExpression(
  String.raw`^(?:[\s*_\x60"'“”«»([\]]+|(?:please|pls|also|and|but|so|then|just|btw|by the way|oh|okay?|well|one (?:more )?thing|bitte|und|aber|por favor|per favore|s['’]il (?:te|vous) plaît|et|mais|y|pero|e|ma|mas|пожалуйста|и|но|а|graag|alsjeblieft|en|maar|och|og|lütfen|من فضلك|कृपया)(?!\p{L})[,:،]?)`,
);

/** Matches a place where another clause may begin. */
const clauseStart: RegExp =
  /[,;:]\s+|[–—،、，；：]\s*|\s-\s|\s(?=(?:and|but|so|then|please|und|aber|bitte|et|mais|y|pero|e|mas|ma|maar|en|och|og|и|но|а)\s)/g;
const maxClauses = 12;
const maxFillers = 4;

/**
 * True for a sentence that states a lasting instruction, duty, ban or preference; false for a report, a question or a
 * one-time request.
 */
export function isDirective(text: string): boolean {
  const sentence = text.toLowerCase();
  if (opens(bareClause(sentence))) return true;
  if (reporting.test(sentence)) return false;
  if (within.test(sentence)) return true;
  let clauses = 0;
  for (const { index, 0: mark } of sentence.matchAll(clauseStart)) {
    if (++clauses > maxClauses) break;
    if (opens(bareClause(sentence.slice(index + mark.length)))) return true;
  }
  return false;
}

function opens(clause: string): boolean {
  return openings.some((opening) => opening.test(clause));
}

/** True for a sentence that reports what happened, what is, or what the speaker knows or does. */
export function isReport(sentence: string): boolean {
  return reporting.test(sentence.toLowerCase());
}

/** Returns a clause in lower case, without filler words before the directive, such as "please" or "also". */
export function bareClause(clause: string): string {
  let bare = clause.trimStart();
  for (let times = 0; times < maxFillers; times++) {
    const found = filler.exec(bare);
    if (!found) break;
    bare = bare.slice(found[0].length).trimStart();
  }
  return bare;
}
