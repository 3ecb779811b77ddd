/** V8 hashes up to 16,383 characters of a text, and remembers that hash with it; longer texts would collide by length. */
const piece = 16_000;

/**
 * Makes a function that gives equal texts equal keys and different texts different ones. Linear: a long text is named by
 * its pieces, each of which the engine hashes natively.
 */
export function identities(): (text: string) => string | number {
  const names = new Map<string, number>();
  const nameOf = (part: string): number => {
    const known = names.get(part) ?? names.size;
    names.set(part, known);
    return known;
  };
  return (text) => {
    if (text.length <= piece) return nameOf(text);
    let key = '';
    for (let from = 0; from < text.length; from += piece) key += `${nameOf(text.slice(from, from + piece))},`;
    return key;
  };
}
