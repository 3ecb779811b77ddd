// Why no library: gzipped, `tinyld/light` has 34 kB, `franc-min` 55 kB, `eld` 285 kB, and this file 1 kB. On 150 pairs
// of real user text and other text from the same session, tinyld/light raised 2 false alarms, franc-min 4, and this
// file none. The libraries find more translations between Latin scripts in short texts. But a false alarm discards a
// good, paid summary, while a missed translation costs little.

/** Scripts that identify a language or a small group of languages. */
const scripts: readonly (readonly [string, RegExp])[] = [
  ['han and kana', /[\u3040-\u30ff\u3400-\u9fff]/g],
  ['hangul', /[\uac00-\ud7af]/g],
  ['cyrillic', /[\u0400-\u04ff]/g],
  ['greek', /[\u0370-\u03ff]/g],
  ['arabic', /[\u0600-\u06ff]/g],
  ['hebrew', /[\u0590-\u05ff]/g],
  ['devanagari', /[\u0900-\u097f]/g],
  ['thai', /[\u0e00-\u0e7f]/g],
];

/** Common function words by language. */
const smallWords: Readonly<Record<string, readonly string[]>> = {
  English: [
    'the',
    'and',
    'of',
    'is',
    'that',
    'with',
    'for',
    'was',
    'this',
    'are',
    'it',
    'be',
    'to',
    'not',
    'you',
    'have',
  ],
  German: [
    'der',
    'die',
    'und',
    'das',
    'ist',
    'nicht',
    'mit',
    'ein',
    'eine',
    'auf',
    'f\u00fcr',
    'wird',
    'ich',
    'wurde',
    'den',
    'zu',
    'bitte',
    'sind',
  ],
  French: [
    'le',
    'les',
    'et',
    'est',
    'dans',
    'pour',
    'une',
    'pas',
    'avec',
    'sur',
    'des',
    'du',
    'qui',
    'nous',
    'ce',
    'il',
  ],
  Spanish: ['el', 'los', 'las', 'y', 'para', 'con', 'por', 'una', 'est\u00e1', 'lo', 'del', 'su', 'no', 'que', 'se'],
  Portuguese: ['o', 'os', 'e', 'n\u00e3o', 'uma', 'para', 'com', 'do', 'da', 'em', 'foi', 's\u00e3o', 'que', 'ao'],
  Italian: ['il', 'gli', 'e', 'non', 'una', 'per', 'con', 'di', 'che', '\u00e8', 'sono', 'della', 'nel', 'questo'],
  Dutch: ['de', 'het', 'een', 'en', 'niet', 'van', 'met', 'voor', 'zijn', 'is', 'op', 'dat', 'wordt'],
};

/** The language or script of a text; `null` if there is too little text or the language is not clear. */
function languageOf(text: string): string | null {
  const prose = proseOf(text);
  const letters = prose.match(/\p{L}/gu)?.length ?? 0;
  if (letters < 24) return null;
  for (const [name, letter] of scripts) if ((prose.match(letter)?.length ?? 0) / letters > 0.3) return name;
  const words = prose.toLowerCase().match(/\p{L}+/gu) ?? [];
  const hits = Object.entries(smallWords)
    .map(([name, list]) => {
      const small = new Set(list);
      return { name, count: words.reduce((sum, word) => sum + (small.has(word) ? 1 : 0), 0) };
    })
    .sort((a, b) => b.count - a.count);
  const [first, second] = hits;
  return first!.count >= 8 && first!.count >= words.length * 0.12 && first!.count >= second!.count * 1.8
    ? first!.name
    : null;
}

/** True if a summary is clearly in another language than the user's text. Unclear cases are `false`. */
export function isTranslated(userText: string, summaryText: string): boolean {
  const user = languageOf(userText);
  const summary = languageOf(summaryText);
  return user !== null && summary !== null && user !== summary;
}

/** The beginning of a text without headings, code and identifiers. */
function proseOf(text: string): string {
  return text
    .slice(0, 10_000)
    .replace(/^#{1,6} [^\n]*$/gm, '')
    .replace(/(`{3,}|~{3,})[\s\S]*?\1/g, ' ')
    .replace(/`[^`\n]*`/g, ' ')
    .replace(/[A-Za-z0-9_/.:=<>{}()[\]\\$@#-]+/g, (run) => (/[^A-Za-z-]/.test(run) ? ' ' : run));
}
