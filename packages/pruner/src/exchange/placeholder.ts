/** Lines in brackets with which this and other systems mark tool output they removed. */
const placeholders =
  /^\[(?:(?:Old )?tool (?:output|result)s?\b|Duplicate tool output\b|image(?:s)? removed\b|screenshot removed\b|content cleared\b|No result was recorded)/i;

/** True for a text that replaces removed tool output, whichever system wrote it. */
export function isPlaceholder(text: string): boolean {
  return text.length <= 400 && placeholders.test(text);
}

/** The placeholder without details about the call, as other prune-then-compact systems write it. */
export function plainPlaceholder(characters: number): string {
  return `[Tool output pruned - was ${characters} chars]`;
}
