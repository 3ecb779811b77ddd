/** Tries a sticky pattern at one index; where the match ends is then its `lastIndex`. */
export function matchAt(pattern: RegExp, text: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at;
  return pattern.exec(text);
}
