/** Number of classes that group lines of similar worth. Four classes span a factor of two. */
export const worthClasses = 96;
const classesPerDoubling = 4;

/**
 * Exponent that turns worth into benefit. Worth only orders lines, and the benefit of keeping a line grows more slowly.
 * Fitted on the development half of the bench's transcripts.
 */
const exponent = 0.7;

/** The class of a worth, from 0 for the least. @param worth above 0 */
export function worthClass(worth: number): number {
  const place = Math.round(worthClasses / 2 + classesPerDoubling * Math.log2(worth));
  return Math.max(0, Math.min(worthClasses - 1, place));
}

/** By class, the benefit of keeping one token. */
export const classGain: Float64Array = Float64Array.from(
  { length: worthClasses },
  (_, place) => 2 ** (((place - worthClasses / 2) / classesPerDoubling) * exponent),
);
