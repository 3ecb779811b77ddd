import type { Directives } from './directives/directives.ts';
import { chinese, japanese, korean } from './directives/east-asian.ts';
import { english } from './directives/english.ts';
import { dutch, german, nordic } from './directives/germanic.ts';
import { arabic, hindi, turkish } from './directives/other-languages.ts';
import { french, italian, portuguese, spanish } from './directives/romance.ts';
import { polish, russian } from './directives/slavic.ts';

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

/**
 * A letter of the scripts that divide words. Few ranges, because an engine compiles all of them wherever the tables say
 * `\p{L}`, which would take longer than to read a transcript.
 */
const letters = String.raw`a-z\u00df-\u024f\u0370-\u058f\u05d0-\u06ff\u0900-\u097f`;

const expression = (source: string): RegExp => new RegExp(source.replaceAll(String.raw`\p{L}`, `[${letters}]`), 'u');
const all = (languages: readonly Directives[], part: keyof Directives): string =>
  languages.flatMap((language) => language[part]).join('|');

// All of them read lower case. Each language by itself: V8 does not optimize an expression of more than 20 kB, and the
// languages together take five times as long as one after the other.
const openings: readonly RegExp[] = [...spaced, ...unspaced].flatMap(({ opening }) =>
  opening.length > 0 ? [expression(`^(?:${opening.join('|')})`)] : [],
);
const within: RegExp = expression(
  String.raw`(?<!\p{L})(?:${all(spaced, 'within')})(?:(?<= )|(?!\p{L}))|${all(unspaced, 'within')}`,
);
const reporting: RegExp = expression(`(?<![${letters}'’])(?:${all(spaced, 'reports')})|${all(unspaced, 'reports')}`);

/** What may stand before an order without changing it. */
const filler: RegExp =
  /^(?:[\s*_`"'“”«»([\]]+|(?:please|pls|also|and|but|so|then|just|btw|by the way|oh|okay?|well|one (?:more )?thing|bitte|und|aber|por favor|per favore|s['’]il (?:te|vous) plaît|et|mais|y|pero|e|ma|mas|пожалуйста|и|но|а|graag|alsjeblieft|en|maar|och|og|lütfen|من فضلك|कृपया)(?!\p{L})[,:،]?)/iu;

/** Where another clause may begin. */
const clauseStart: RegExp =
  /[,;:–—،、，；：]\s*|\s-\s|\s(?=(?:and|but|so|then|please|und|aber|bitte|et|mais|y|pero|e|mas|ma|maar|en|och|og|и|но|а)\s)/giu;
/** Clauses that are looked at. */
const most = 12;

/**
 * True when a sentence says for good what is to be done or how things have to be: an order that outlives the moment, a
 * duty, a ban or a preference; not what happened, nor what only this once is asked for.
 */
export function isDirective(sentence: string): boolean {
  return orders(sentence.toLowerCase());
}

function orders(sentence: string): boolean {
  if (opens(bareClause(sentence))) return true;
  if (reporting.test(sentence)) return false;
  if (within.test(sentence)) return true;
  let clauses = 0;
  for (const { index, 0: mark } of sentence.matchAll(clauseStart)) {
    if (++clauses > most) break;
    if (opens(bareClause(sentence.slice(index + mark.length)))) return true;
  }
  return false;
}

function opens(clause: string): boolean {
  return openings.some((opening) => opening.test(clause));
}

/** True when a sentence tells what happened, what is, or what the speaker knows or does. */
export function isReport(sentence: string): boolean {
  return reporting.test(sentence.toLowerCase());
}

/** A clause without what may stand before an order. */
export function bareClause(clause: string): string {
  let bare = clause.trimStart();
  for (let times = 0; times < 4; times++) bare = bare.replace(filler, '').trimStart();
  return bare;
}
