import { asParts, isBlank, type Part } from './message.ts';

/** Joins contents: texts with a blank line between them, or all parts in order. Blank contents are omitted. */
export function joinContents(contents: readonly (string | readonly Part[])[]): string | readonly Part[] {
  const filled = contents.filter((content) => !isBlank(content));
  if (filled.every((content) => typeof content === 'string')) return filled.join('\n\n');
  return filled.flatMap(asParts);
}
