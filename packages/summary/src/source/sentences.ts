const sentenceEnd: RegExp = /[.!?\u3002\uff01\uff1f]/;
const listMark: RegExp = /^\s*(?:[-*\u2022]|\d{1,3}[.)])\s+/;

/**
 * A line cut into sentences behind a full stop, an exclamation or a question mark; list marks are taken off. What goes
 * on with a small letter goes on.
 */
export function sentencesOf(line: string): string[] {
  const bare = unlisted(line);
  return (sentenceEnd.test(bare) ? bare.split(/(?<=[.!?])\s+(?![\s\p{Ll}])|(?<=[\u3002\uff01\uff1f])/u) : [bare])
    .map((sentence) => sentence.trim())
    .filter((sentence) => sentence !== '');
}

/** A question asks for something; anything else states it. */
export function isQuestion(text: string): boolean {
  return /[?\uff1f\u061f]\s*$/.test(text);
}

/** True for a line that is an item of a list. */
export function isListItem(line: string): boolean {
  return listMark.test(line);
}

/** A line without the mark of an item of a list. */
export function unlisted(line: string): string {
  return line.replace(listMark, '');
}
