import { isAbbreviation } from './abbreviations.ts';

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
