/** Matches the beginning of a line that continues the one before: a lower-case letter, also after an indent. */
const continuation: RegExp = /^\s{0,12}\p{Ll}/u;
/** Matches a line that no other one continues: a heading, a fence, a quotation, a tag, or one with an end mark. */
const complete: RegExp = /^\s*(?:[#>|<]|```|~~~)|[.!?:;\u2026{}]["')\]*_`]*\s*$/;
/** Minimum length of a line that a wrap may have broken, in characters. */
const minWrapLength = 40;
/** A text of more characters gets no further line. */
const maxJoinedLength = 400;

/** Joins the lines that were wrapped within a sentence. */
export function joinWrapped(written: readonly string[]): string[] {
  const lines: string[] = [];
  let length = 0;
  for (const line of written) {
    const last = lines.at(-1) ?? '';
    if (length >= minWrapLength && last.length <= maxJoinedLength && continuation.test(line) && !complete.test(last))
      lines[lines.length - 1] = `${last.trimEnd()} ${line.trimStart()}`;
    else lines.push(line);
    length = line.length;
  }
  return lines;
}
