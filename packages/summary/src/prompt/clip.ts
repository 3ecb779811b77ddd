import { splitsPair, startOf } from '@palimpsest/salience';

/**
 * Shortens a text over the limit to its beginning and end, with a mark between them that says how much is missing.
 * @param head characters kept at the start
 * @param tail characters kept at the end
 */
export function clip(text: string, limit: number, head: number, tail: number): string {
  if (text.length <= limit) return text;
  const start = startOf(text, head);
  let last = text.length - tail;
  if (tail > 0 && splitsPair(text, last)) last++;
  return `${start}\n[... ${last - start.length} characters left out ...]\n${text.slice(last)}`;
}
