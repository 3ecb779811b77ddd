/** The placeholder of a removed picture or file. The wording is fixed, so it cannot contain other text. */
const removed: RegExp = /^\[(?:image|file) removed(?:: too large for the provider)?\]$/;

/**
 * The placeholder text for a removed picture or file. A placeholder counts like the picture when a message is checked
 * for being a task.
 * @param why the reason to state. @default none
 */
export function mediaPlaceholder(kind: 'image' | 'file', why?: 'too large for the provider' | undefined): string {
  return why === undefined ? `[${kind} removed]` : `[${kind} removed: ${why}]`;
}

/** True for a placeholder from {@link mediaPlaceholder}. */
export function isRemovedMedia(text: string): boolean {
  return removed.test(text);
}
