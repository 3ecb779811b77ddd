import { closest, distance } from 'fastest-levenshtein';

/**
 * Finds the known name most similar to a misspelled one, or `null`. Names are similar if at most a third of the letters
 * (at least one) differ, or if one begins with the other.
 */
export function nearestName(name: string, known: readonly string[]): string | null {
  if (known.length === 0 || name === '') return null;
  const plain = name.toLowerCase();
  const nearest = closest(
    plain,
    known.map((candidate) => candidate.toLowerCase()),
  );
  const found = known.find((candidate) => candidate.toLowerCase() === nearest)!;
  const allowed = Math.max(1, Math.floor(Math.max(name.length, found.length) / 3));
  if (distance(plain, nearest) <= allowed) return found;
  return known.find((candidate) => plain.length >= 4 && candidate.toLowerCase().startsWith(plain)) ?? null;
}

/** Returns ` Did you mean "x"?`, or an empty string for `null`. */
export function suggestion(nearest: string | null): string {
  return nearest === null ? '' : ` Did you mean "${nearest}"?`;
}
