import { buildAutomaton } from '../../../packages/tokens/src/estimate/automaton.ts';
import {
  asciiClass,
  blockClass,
  kindColumns,
  letterColumns,
} from '../../../packages/tokens/src/estimate/character-class.ts';
import { firstLetter } from '../../../packages/tokens/src/estimate/text-model.ts';
import type { SparseRow } from './regression.ts';

const { stateCount, next } = buildAutomaton();
/** First feature number of a letter pair; smaller numbers are states of the automaton. */
export const firstPair: number = stateCount;
export const featureCount: number = stateCount + letterColumns * letterColumns;

/** Counts how often a text visits each state and contains each letter pair. The estimator multiplies these counts by weights. */
export function textFeatures(texts: readonly string[]): SparseRow {
  const counts = new Float64Array(featureCount);
  for (const text of texts) {
    let state = 0;
    let previous = firstLetter;
    for (let at = 0; at < text.length; at++) {
      const code = text.charCodeAt(at);
      const found = code < 128 ? asciiClass[code]! : blockClass[code >> 4]!;
      state = next[state * kindColumns + (found & 31)]!;
      counts[state]! += 1;
      counts[firstPair + previous * letterColumns + (found >> 5)]! += 1;
      previous = found >> 5;
    }
  }
  const indices = Int32Array.from([...counts.keys()].filter((at) => counts[at]! > 0));
  return { indices, counts: Float64Array.from(indices, (at) => counts[at]!) };
}

/** Returns the weighted sum of the features. */
export function weigh({ indices, counts }: SparseRow, weights: Float64Array): number {
  let sum = 0;
  for (let at = 0; at < indices.length; at++) sum += weights[indices[at]!]! * counts[at]!;
  return sum;
}
