/** Matches lines in brackets that mark removed tool output, as written by this and other systems. */
const placeholders =
  /^\[(?:(?:Old )?tool (?:output|result)s?\b|Duplicate tool output\b|image(?:s)? removed\b|screenshot removed\b|content cleared\b|No result was recorded)/i;

/** True for a text that this or another system put in place of removed tool output. */
export function isPlaceholder(text: string): boolean {
  return text.length <= 400 && placeholders.test(text);
}

/** Returns a placeholder without details about the call, as in other prune-then-compact systems. */
export function plainPlaceholder(characters: number): string {
  return `[Tool output pruned - was ${characters} chars]`;
}
