/** Matches a character that may end a clause, in scripts with and without spaces. */
const clauseEnd: RegExp = /[\s\u3001\uff0c\uff1b\uff1a\u060c\u200b]/;
/** Maximum length of a grapheme that is kept whole, in characters. */
const reach = 400;

// Created when the first long non-ASCII text is cut, because creation takes up to 20 ms.
let graphemes: Intl.Segmenter | undefined;

/**
 * Cuts a text to at most `longest` characters: at the last space or clause mark after `shortest`, or else between two
 * graphemes. Surrogate pairs, combining sequences and emoji sequences stay whole.
 */
export function cutText(text: string, shortest: number, longest: number): string {
  if (text.length <= longest) return text;
  let at = longest;
  if (!/\s/.test(text.charAt(longest)))
    for (let candidate = longest; candidate > shortest; candidate--)
      if (clauseEnd.test(text.charAt(candidate - 1))) {
        at = candidate;
        break;
      }
  return text.slice(0, boundaryBefore(text, at)).trimEnd();
}

/** Returns the offset, or the beginning of the grapheme around it. */
export function boundaryBefore(text: string, at: number): number {
  // A character below U+00A9 does not continue a grapheme.
  if (at <= 0 || at >= text.length || (text.charCodeAt(at) < 0xa9 && text.charCodeAt(at - 1) < 0xa9)) return at;
  const from = Math.max(0, at - reach);
  graphemes ??= new Intl.Segmenter(undefined, { granularity: 'grapheme' });
  const found = graphemes.segment(text.slice(from, at + 64)).containing(at - from);
  return found && found.index > 0 ? from + found.index : at;
}
