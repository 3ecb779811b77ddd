/** True when a sticky pattern matches at one index; where the match ends is then its `lastIndex`. */
export function startsAt(pattern: RegExp, text: string, at: number): boolean {
  pattern.lastIndex = at;
  return pattern.test(text);
}

/** Tries a sticky pattern at one index; where the match ends is then its `lastIndex`. */
export function matchAt(pattern: RegExp, text: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at;
  return pattern.exec(text);
}

/** Where a sticky pattern that may match nothing ends when it is tried at one index. */
export function endAt(pattern: RegExp, text: string, at: number): number {
  startsAt(pattern, text, at);
  return pattern.lastIndex;
}
