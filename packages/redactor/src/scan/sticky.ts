/** True if a sticky pattern matches at an index. Its `lastIndex` is then the end of the match. */
export function startsAt(pattern: RegExp, text: string, at: number): boolean {
  pattern.lastIndex = at;
  return pattern.test(text);
}

/** Matches a sticky pattern at an index. Its `lastIndex` is then the end of the match. */
export function matchAt(pattern: RegExp, text: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at;
  return pattern.exec(text);
}

/** End of a sticky pattern's match at an index. The pattern must also match the empty string. */
export function endAt(pattern: RegExp, text: string, at: number): number {
  startsAt(pattern, text, at);
  return pattern.lastIndex;
}
