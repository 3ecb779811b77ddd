/** What stands in the place of a picture or file that was removed. No other words, so that none can be put into it. */
const removed: RegExp = /^\[(?:image|file) removed(?:: too large for the provider)?\]$/;

/**
 * The text that takes the place of a picture or file. It is no word of anybody's: a message is a request, or none,
 * as it was with the picture in it.
 * @param why @default no reason is given
 */
export function removedMedia(kind: 'image' | 'file', why?: 'too large for the provider' | undefined): string {
  return why === undefined ? `[${kind} removed]` : `[${kind} removed: ${why}]`;
}

/** True for a text of {@link removedMedia}. */
export function isRemovedMedia(text: string): boolean {
  return removed.test(text);
}
