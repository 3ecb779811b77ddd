/** Prepares a text for comparison: lower case, single spaces, no quotation or list marks. */
export function normalize(text: string): string {
  return text
    .toLowerCase()
    .replace(/[`*_>"'\u2018\u2019\u201c\u201d\u00ab\u00bb]/g, '')
    .replace(/\s+/g, ' ')
    .trim();
}

/** Returns a text's longer words, words with digits and words in non-Latin scripts, in lower case. */
export function contentWords(text: string): Set<string> {
  return new Set(
    text
      .toLowerCase()
      .split(/[^\p{L}\p{N}_./-]+/u)
      .map((word) => word.replace(/^[./-]+|[./-]+$/g, ''))
      .filter((word) => word.length > 3 || /[^\u0000-\u024f]|\d/.test(word)),
  );
}

/** The share of `words` that are also in `others`; 0 if there are no words. */
export function overlap(words: ReadonlySet<string>, others: ReadonlySet<string>): number {
  if (words.size === 0) return 0;
  let shared = 0;
  for (const word of words) if (others.has(word)) shared++;
  return shared / words.size;
}
