/** True when a cut before the character at `at` would split a surrogate pair. Providers reject half a pair. */
export function splitsPair(text: string, at: number): boolean {
  const code = text.charCodeAt(at - 1);
  return code >= 0xd800 && code < 0xdc00;
}

/** Returns the first `length` characters, or one less if the cut would split a surrogate pair. */
export function startOf(text: string, length: number): string {
  return text.slice(0, splitsPair(text, length) ? length - 1 : length);
}

/** Shortens a text to at most `length` characters, including the ellipsis that marks the cut. */
export function truncate(text: string, length: number): string {
  return text.length <= length ? text : `${startOf(text, length - 1)}\u2026`;
}

/** Removes half a surrogate pair that a cut has left at the beginning of a text. */
export function withoutHalfPair(text: string): string {
  const code = text.charCodeAt(0);
  return code >= 0xdc00 && code <= 0xdfff ? text.slice(1) : text;
}
