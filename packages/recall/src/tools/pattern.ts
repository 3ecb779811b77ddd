/** Longer patterns are cut; more alternatives are ignored. */
const maxPatternLength = 300;
const maxAlternatives = 8;

/** Finds the first match in a lower-case text. @returns its index, or -1 */
export type Matcher = (lowerText: string) => number;

/**
 * Compiles a pattern: plain text, compared without case, in which `*` stands for any characters and `|` separates
 * alternatives. Matching is linear for every input, unlike a regular expression that a model wrote.
 */
export function compilePattern(pattern: string): Matcher {
  const alternatives = pattern
    .slice(0, maxPatternLength)
    .toLowerCase()
    .split('|')
    .slice(0, maxAlternatives)
    .map((alternative) => alternative.split('*').filter((piece) => piece !== ''))
    .filter((pieces) => pieces.length > 0);
  return (text) => {
    let first = -1;
    for (const pieces of alternatives) {
      const at = indexOfPieces(text, pieces);
      if (at >= 0 && (first < 0 || at < first)) first = at;
    }
    return first;
  };
}

/** Index of the first piece, if all pieces follow in order; otherwise -1. */
function indexOfPieces(text: string, pieces: readonly string[]): number {
  const start = text.indexOf(pieces[0]!);
  let end = start < 0 ? -1 : start + pieces[0]!.length;
  for (let at = 1; at < pieces.length && end >= 0; at++) {
    const found = text.indexOf(pieces[at]!, end);
    end = found < 0 ? -1 : found + pieces[at]!.length;
  }
  return end < 0 ? -1 : start;
}
