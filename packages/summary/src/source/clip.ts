/**
 * The text, or its head and tail around a mark that says how much is missing. Never splits a surrogate pair.
 * @param head characters kept at the start
 * @param tail characters kept at the end
 */
export function clip(text: string, limit: number, head: number, tail: number): string {
  if (text.length <= limit) return text;
  const first = head > 0 && isHighSurrogate(text, head - 1) ? head - 1 : head;
  let last = text.length - tail;
  if (tail > 0 && isHighSurrogate(text, last - 1)) last++;
  return `${text.slice(0, first)}\n[... ${last - first} characters left out ...]\n${text.slice(last)}`;
}

function isHighSurrogate(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  return code >= 0xd800 && code < 0xdc00;
}
