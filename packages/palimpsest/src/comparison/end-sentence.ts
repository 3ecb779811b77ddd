/** A reason as the end of a sentence: with a period, unless it ends a sentence already. */
export function endSentence(reason: string): string {
  return /[.!?…]$/.test(reason) ? reason : `${reason}.`;
}
