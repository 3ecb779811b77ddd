/** What stands in the place of a picture or file that was removed. */
const removed: RegExp = /^\[(?:image|file) removed(?:: [^\]\n]{1,80})?\]$/;

/**
 * The text that takes the place of a picture or file. It is no word of anybody's: a message is a request, or none,
 * as it was with the picture in it.
 * @param why at most 80 characters. @default no reason is given
 */
export function removedMedia(kind: 'image' | 'file', why?: string | undefined): string {
  return why === undefined ? `[${kind} removed]` : `[${kind} removed: ${why}]`;
}

/** True for a text of {@link removedMedia}. */
export function isRemovedMedia(text: string): boolean {
  return removed.test(text);
}
