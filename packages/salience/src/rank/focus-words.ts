/** The words of a focus topic that can tell lines apart, in lower case. */
export function focusWords(topic: string | null): string[] {
  return (topic ?? '')
    .toLowerCase()
    .split(/[^\p{L}\p{N}_./-]+/u)
    .filter((word) => word.length > 2);
}
