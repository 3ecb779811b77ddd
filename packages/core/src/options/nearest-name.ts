/** Longer names are not compared: they are no misspelled names. */
const maxNameLength = 100;

/**
 * Finds the known name most similar to a misspelled one, or `null`. Names are similar if at most a third of the letters
 * (at least one) differ, or if one begins with the other.
 */
export function nearestName(name: string, known: readonly string[]): string | null {
  if (name === '' || name.length > maxNameLength) return null;
  const plain = name.toLowerCase();
  let nearest: { readonly name: string; readonly edits: number } | null = null;
  for (const candidate of known) {
    const edits = editsBetween(plain, candidate.toLowerCase());
    const allowed = Math.max(1, Math.floor(Math.max(name.length, candidate.length) / 3));
    if (edits <= allowed && edits < (nearest?.edits ?? Number.POSITIVE_INFINITY)) nearest = { name: candidate, edits };
  }
  if (nearest) return nearest.name;
  return known.find((candidate) => plain.length >= 4 && candidate.toLowerCase().startsWith(plain)) ?? null;
}

/** Returns ` Did you mean "x"?`, or an empty string for `null`. */
export function suggestName(nearest: string | null): string {
  return nearest === null ? '' : ` Did you mean "${nearest}"?`;
}

/** Levenshtein's distance. Written by hand, so that this package needs no library. */
function editsBetween(one: string, other: string): number {
  let row = Array.from({ length: other.length + 1 }, (_, index) => index);
  for (let at = 0; at < one.length; at++) {
    const next = [at + 1];
    for (let index = 0; index < other.length; index++) {
      const replaced = row[index]! + (one[at] === other[index] ? 0 : 1);
      next.push(Math.min(replaced, row[index + 1]! + 1, next[index]! + 1));
    }
    row = next;
  }
  return row[other.length]!;
}
