import { letterColumns } from '../../../packages/tokens/src/estimate/character-class.ts';
import { pairUnits, unitsPerToken } from '../../../packages/tokens/src/estimate/text-model.ts';
import { featureCount, firstPair } from './text-features.ts';

/** Packs integers in the format that `text-model.ts` reads: runs of zeros, one character for small numbers, three for others. */
export function packIntegers(values: readonly number[]): string {
  let packed = '';
  for (let at = 0; at < values.length; at++) {
    const value = values[at]!;
    if (value === 0) {
      let run = 1;
      while (values[at + run] === 0 && run < 26) run++;
      packed += String.fromCharCode(96 + run);
      at += run - 1;
    } else if (value >= -26 && value <= 25) packed += String.fromCharCode(66 + value);
    else {
      const low = ((((value + 26) % 52) + 52) % 52) - 26;
      packed += `]${String.fromCharCode(66 + (value - low) / 52, 66 + low)}`;
    }
  }
  return packed.replace(/[a-z]+$/, '');
}

/** Weights in tokens, rounded to the packed precision, and their packed form. */
export function packWeights(weights: Float64Array): { rounded: Float64Array; states: string; pairs: string } {
  const rounded = new Float64Array(featureCount);
  const states: number[] = [];
  const pairs: number[] = [];
  for (let at = 0; at < firstPair; at++) {
    const value = Math.max(-1300, Math.min(1300, Math.round(weights[at]! * unitsPerToken)));
    states.push(value);
    rounded[at] = value / unitsPerToken;
  }
  for (let at = firstPair; at < firstPair + letterColumns ** 2; at++) {
    const value = roundPair(weights[at]!);
    pairs.push(value);
    rounded[at] = (value * pairUnits) / unitsPerToken;
  }
  return { rounded, states: packIntegers(states), pairs: packIntegers(pairs) };
}

/** Converts a pair weight to packed steps, which always fit one character. */
export const roundPair = (weight: number): number =>
  Math.max(-26, Math.min(25, Math.round((weight * unitsPerToken) / pairUnits)));
