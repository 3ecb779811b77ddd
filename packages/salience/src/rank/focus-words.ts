/** The words of a focus topic, in lower case, without those of one or two characters. */
export function focusWords(topic: string | null): string[] {
  return (topic ?? '')
    .toLowerCase()
    .split(/[^\p{L}\p{N}_./-]+/u)
    .filter((word) => word.length > 2);
}
