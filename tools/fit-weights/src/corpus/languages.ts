import type { DocumentSink } from './files.ts';

/** Characters of languages in non-Latin scripts. */
export const scripts: Record<string, RegExp> = {
  zh: /\p{Script=Han}/gu,
  tw: /\p{Script=Han}/gu,
  ja: /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/gu,
  ko: /\p{Script=Hangul}/gu,
  ru: /\p{Script=Cyrillic}/gu,
  uk: /\p{Script=Cyrillic}/gu,
  ar: /\p{Script=Arabic}/gu,
  fa: /\p{Script=Arabic}/gu,
  hi: /\p{Script=Devanagari}/gu,
  th: /\p{Script=Thai}/gu,
  he: /\p{Script=Hebrew}/gu,
  el: /\p{Script=Greek}/gu,
  bn: /\p{Script=Bengali}/gu,
  ta: /\p{Script=Tamil}/gu,
  te: /\p{Script=Telugu}/gu,
  ka: /\p{Script=Georgian}/gu,
  bg: /\p{Script=Cyrillic}/gu,
  mr: /\p{Script=Devanagari}/gu,
};

/** Included languages in Latin script. */
export const latin = new Set([
  'de',
  'fr',
  'es',
  'pt',
  'it',
  'pl',
  'tr',
  'vi',
  'nl',
  'cs',
  'sv',
  'fi',
  'hu',
  'id',
  'ro',
  'da',
  'nb',
  'hr',
  'ca',
  'sk',
  'lt',
]);

/** Returns the language of a language tag; `tw` for Traditional Chinese, whose token counts differ. */
export const languageOf = (tag: string): string => (/^zh[-_](?:TW|HK|Hant)/i.test(tag) ? 'tw' : tag.slice(0, 2));

/** Adds prose of a language if enough of it is in that language's script. */
export function writeLanguage(write: DocumentSink, language: string, name: string, text: string): void {
  const short = languageOf(language);
  const script = scripts[short];
  if (!script && !latin.has(short)) return;
  const native = script ? (text.match(script)?.length ?? 0) / text.length : 1;
  if (native > (short === 'zh' || short === 'tw' || short === 'ja' || short === 'ko' ? 0.25 : 0.35) || !script)
    write(`lang-${short}`, name, text);
}
