/**
 * Matches a possible sentence end: marks with the Unicode property Sentence_Terminal, and `;` after a Greek letter, which
 * is the Greek question mark; then closing quotation marks and brackets.
 */
const endMark: RegExp =
  /(?:\p{Sentence_Terminal}+|(?<=[\u0370-\u03ff\u1f00-\u1fff]);(?=\s|$))["'\u201d\u2019\u00bb)\]*_`\u300d\u300f\u300b\uff09]*/gu;
/** The same for ASCII text: matches only the last mark before a space. */
const asciiEndMark: RegExp = /(?<![.!?])[.!?]+["')\]*_`]*(?=\s)/g;
const ascii: RegExp = /^[\0-\x7f]*$/;
/**
 * Matches marks that end a sentence only before a space, because they are also used in numbers: ASCII marks and the
 * full-width full stop.
 */
const beforeSpace: RegExp = /^[.!?;\uff0e]+/;
const listMark: RegExp = /^\s*(?:[-*\u2022]|\d{1,3}[.)])\s+/;

/**
 * Returns the offsets at which the sentences of a line end, including the end of the line. A mark does not end a
 * sentence if it is part of a word or number (`index.ts`, `v1.2`), an abbreviation (`e.g.`, `z. B.`) or a list mark, or
 * if a lower-case letter follows. A space after it is required only in scripts that use one. Linear time.
 *
 * `Intl.Segmenter` is not used: it takes 25 to 40 times as long and ends sentences after abbreviations.
 */
export function sentenceEnds(line: string): number[] {
  const ends: number[] = [];
  const listed = listMark.exec(line)?.[0].length ?? 0;
  const mark = ascii.test(line) ? asciiEndMark : endMark;
  mark.lastIndex = 0;
  for (let found = mark.exec(line); found; found = mark.exec(line)) {
    const end = mark.lastIndex;
    if (end > listed && end < line.length && isEnd(line, found.index, found[0])) ends.push(end);
  }
  if (line !== '') ends.push(line.length);
  return ends;
}

function isEnd(line: string, at: number, marks: string): boolean {
  if (!beforeSpace.test(marks)) return true;
  const end = at + marks.length;
  if (!/\s/.test(line.charAt(end))) return false;
  const next = line.slice(end, end + 16).trimStart();
  // "Does it work? if not, ..." has two sentences; "a ? b : c" is code.
  if (isLowerCase(next.charAt(0))) return marks.startsWith('?') && /\S/.test(line.charAt(at - 1));
  return !(marks === '.' && isAbbreviation(line, at, next));
}

function isLowerCase(letter: string): boolean {
  return letter !== letter.toUpperCase() && letter === letter.toLowerCase();
}

/** Splits a line into sentences, after removing a list mark. Sentences end as `sentenceEnds` says. */
export function sentencesOf(line: string): string[] {
  const bare = withoutListMark(line);
  let from = 0;
  const sentences: string[] = [];
  for (const end of sentenceEnds(bare)) {
    const sentence = bare.slice(from, end).trim();
    if (sentence !== '') sentences.push(sentence);
    from = end;
  }
  return sentences;
}

/** True for a text that ends with a question mark, including Arabic, full-width, Ethiopic, Armenian and Greek ones. */
export function isQuestion(text: string): boolean {
  return /(?:[?\uff1f\u061f\u1367\u055e\u037e]|[\u0370-\u03ff\u1f00-\u1fff];)["'\u201d\u2019\u00bb)*_\u300d\u300f\uff09]*\s*$/.test(
    text.slice(-40),
  );
}

/** True for a line that is a list item. */
export function isListItem(line: string): boolean {
  return listMark.test(line);
}

/** Returns the line without its list mark (`-`, `*`, `1.`). */
export function withoutListMark(line: string): string {
  return line.replace(listMark, '');
}

/** Maximum length of an abbreviation, in characters. */
const maxAbbreviationLength = 12;

/**
 * Abbreviations, in lower case, whose full stops do not end a sentence. Does not include those that often do, such as
 * "etc.".
 */
const abbreviations: ReadonlySet<string> = new Set(
  [
    'e.g eg i.e ie vs cf approx dr mr mrs ms prof st fig figs eq sec ch vol ver incl resp dept est jr al viz nos pp ca',
    'bzw ggf inkl evtl nr abs bspw sog vgl zzgl abzgl str tel d.h z.b u.a o.\u00e4 usf zb',
    'mme mlle env p.ex ex art av \u00e9d',
    'sr sra srta dra p.ej ud uds aprox p\u00e1g ee.uu',
    'dott sig sig.ra ecc.a es pag ing avv',
    'bijv d.w.z o.a t.a.v i.p.v m.b.t resp zgn',
    't.ex bl.a dvs kl d.v.s f.eks bl.a',
    '\u0442.\u0435 \u0442.\u043a \u0442\u0430\u043a.\u043d\u0430\u0437 \u0433 \u0443\u043b \u0441\u0442\u0440 \u0440\u0438\u0441 \u043d\u0430\u043f\u0440 \u0438\u043c',
    'np tj m.in tzn ul prof godz',
    '\u03c0.\u03c7 \u03b4\u03b7\u03bb \u03b2\u03bb',
    'vb \u00f6r bkz',
  ]
    .join(' ')
    .split(' '),
);

/** Matches single letters with full stops between them, without the last one: `e.g`, `z. B`, `\u0442. \u0435`. */
const singleLetters: RegExp = /(?<![^\s(])[^\s.\d](?:\.\s?[^\s.\d])+$/;
const monthName: RegExp = /^(?:Jan|Feb|M\u00e4r|Apr|Mai|Jun|Jul|Aug|Sep|Okt|Nov|Dez)/;

/**
 * True if the full stop at an offset belongs to an abbreviation, an initial or a German date.
 * @param next the beginning of the text after it, without leading spaces
 */
function isAbbreviation(line: string, at: number, next: string): boolean {
  const before = line.slice(Math.max(0, at - maxAbbreviationLength), at);
  if (singleLetters.test(before)) return true;
  const word = /[^\s("'\u201c\u00ab[]+$/.exec(before)?.[0].toLowerCase() ?? '';
  if (abbreviations.has(word)) return true;
  // The first letter of "z. B." or "J. R. Smith".
  if (/^[a-z\u00aa-\u058f]$/.test(word)) return /^[^\s.\d]{1,2}\./.test(next);
  return /^\d{1,2}$/.test(word) && monthName.test(next);
}
