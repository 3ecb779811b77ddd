/** A value with its 95 % interval. */
export interface Estimate {
  readonly value: number;
  /** Interval by the bootstrap over transcripts; `null` with fewer than three transcripts. */
  readonly low: number | null;
  readonly high: number | null;
  /** Number of transcripts that the value is of. */
  readonly transcripts: number;
}

/** Draws of transcripts with replacement, the same for every compactor, so that their values can be compared. */
export type Draws = readonly Uint32Array[];

/** Fewer transcripts give no interval. */
const minTranscripts = 3;

/** Draws `count` samples of `size` indices. The same seed gives the same samples. */
export function drawSamples(size: number, count: number, seed: number): Draws {
  const next = generator(seed);
  return Array.from({ length: count }, () => Uint32Array.from({ length: size }, () => Math.floor(next() * size)));
}

/**
 * Estimates a value and its interval.
 * @param statistic the value of a sample of transcripts, given as indices; `NaN` where it has none
 * @param measured number of transcripts that have a value
 * @returns `null` if no transcript has one
 */
export function estimate(
  statistic: (sample: Uint32Array) => number,
  size: number,
  measured: number,
  draws: Draws,
): Estimate | null {
  const value = statistic(Uint32Array.from({ length: size }, (_, at) => at));
  if (Number.isNaN(value)) return null;
  if (measured < minTranscripts) return { value, low: null, high: null, transcripts: measured };
  const values = draws
    .map(statistic)
    .filter((one) => !Number.isNaN(one))
    .sort((a, b) => a - b);
  const at = (share: number): number => values[Math.round(share * (values.length - 1))] ?? value;
  return { value, low: at(0.025), high: at(0.975), transcripts: measured };
}

/** Mulberry32: numbers from 0 to 1. */
function generator(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 0x1_0000_0000;
  };
}
