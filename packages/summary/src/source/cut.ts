/** True when a cut before the character at `at` would part a surrogate pair: half of one is text no provider accepts. */
export function partsPair(text: string, at: number): boolean {
  const code = text.charCodeAt(at - 1);
  return code >= 0xd800 && code < 0xdc00;
}

/** The first `length` characters, or one less where that would part a surrogate pair. */
export function startOf(text: string, length: number): string {
  return text.slice(0, partsPair(text, length) ? length - 1 : length);
}
