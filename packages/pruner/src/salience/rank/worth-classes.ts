/** Number of classes that group lines of similar worth. Four classes span a factor of two. */
export const worthClasses = 96;
const classesPerDoubling = 4;

/**
 * Exponent that converts worth to benefit. Worth only orders lines; the benefit of keeping a line grows more slowly.
 * Fitted on the development half of the bench's transcripts.
 */
const exponent = 0.7;

/** Returns the class of a worth; class 0 is the lowest. @param worth above 0 */
export function worthClass(worth: number): number {
  const place = Math.round(worthClasses / 2 + classesPerDoubling * Math.log2(worth));
  return Math.max(0, Math.min(worthClasses - 1, place));
}

/** Benefit of keeping one token, by class. */
export const classGain: Float64Array = Float64Array.from(
  { length: worthClasses },
  (_, place) => 2 ** (((place - worthClasses / 2) / classesPerDoubling) * exponent),
);
