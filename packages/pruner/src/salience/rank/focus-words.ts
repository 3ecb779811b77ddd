/** Returns the words of a focus topic in lower case. Words of one or two characters are omitted. */
export function focusWords(topic: string | null): string[] {
  return (topic ?? '')
    .toLowerCase()
    .split(/[^\p{L}\p{N}_./-]+/u)
    .filter((word) => word.length > 2);
}
