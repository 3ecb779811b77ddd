/** Lines of about the same worth lie in one class; the classes span what worths there are, four to the octave. */
export const worthClasses = 96;
const perOctave = 4;

/**
 * Twice the rank is not twice the use: ranks are made to order lines, and what is gained by keeping one grows more slowly.
 * Chosen on the bench's development half.
 */
const gain = 0.7;

/** The class of a line; 0 for the least worth. @param worth above 0 */
export function worthClass(worth: number): number {
  const place = Math.round(worthClasses / 2 + perOctave * Math.log2(worth));
  return Math.max(0, Math.min(worthClasses - 1, place));
}

/** What a token of a class is worth keeping. */
export const classGain: Float64Array = Float64Array.from(
  { length: worthClasses },
  (_, place) => 2 ** (((place - worthClasses / 2) / perOctave) * gain),
);
