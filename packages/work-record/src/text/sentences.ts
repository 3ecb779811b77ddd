const sentenceEnd: RegExp = /[.!?\u3002\uff01\uff1f]/;
const listMark: RegExp = /^\s*(?:[-*\u2022]|\d{1,3}[.)])\s+/;

/**
 * Splits a line into sentences, after removing a list mark. A full stop, exclamation or question mark ends a sentence
 * unless a lower-case letter follows.
 */
export function sentencesOf(line: string): string[] {
  const bare = withoutListMark(line);
  return (sentenceEnd.test(bare) ? bare.split(/(?<=[.!?])\s+(?![\s\p{Ll}])|(?<=[\u3002\uff01\uff1f])/u) : [bare])
    .map((sentence) => sentence.trim())
    .filter((sentence) => sentence !== '');
}

/** True for a text that ends with a question mark. */
export function isQuestion(text: string): boolean {
  return /[?\uff1f\u061f]\s*$/.test(text);
}

/** True for a line that is a list item. */
export function isListItem(line: string): boolean {
  return listMark.test(line);
}

/** The line without its list mark (`-`, `*`, `1.`). */
export function withoutListMark(line: string): string {
  return line.replace(listMark, '');
}
