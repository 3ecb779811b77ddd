// Ridge regression on sparse rows, by normal equations and Cholesky decomposition: exact and deterministic.

/** Features of one text, with their counts. */
export interface SparseRow {
  readonly indices: Int32Array;
  readonly counts: Float64Array;
}

export interface RidgeProblem {
  readonly rows: readonly SparseRow[];
  /** Target value of each row. */
  readonly targets: Float64Array;
  /** Weight of each row's squared error. */
  readonly importance: Float64Array;
  /** Features to fit; all others keep weight zero. */
  readonly features: readonly number[];
  /** Ridge penalty of every weight, relative to importance. */
  readonly ridge: number;
}

/** Returns the best-fitting weights, by feature. */
export function solveRidge({ rows, targets, importance, features, ridge }: RidgeProblem): Map<number, number> {
  const size = features.length;
  const position = new Map(features.map((feature, at) => [feature, at]));
  const gram = Array.from({ length: size }, () => new Float64Array(size));
  const right = new Float64Array(size);
  for (const [number, { indices, counts }] of rows.entries()) {
    const at: number[] = [];
    const value: number[] = [];
    for (let entry = 0; entry < indices.length; entry++) {
      const found = position.get(indices[entry]!);
      if (found !== undefined) {
        at.push(found);
        value.push(counts[entry]!);
      }
    }
    const weight = importance[number]!;
    for (let i = 0; i < at.length; i++) {
      const row = gram[at[i]!]!;
      const scaled = value[i]! * weight;
      right[at[i]!]! += scaled * targets[number]!;
      for (let j = 0; j < at.length; j++) if (at[j]! <= at[i]!) row[at[j]!]! += scaled * value[j]!;
    }
  }
  for (let i = 0; i < size; i++) gram[i]![i]! += ridge;
  const answer = solveCholesky(gram, right);
  return new Map(features.map((feature, at) => [feature, answer[at]!]));
}

function solveCholesky(gram: Float64Array[], right: Float64Array): Float64Array {
  const size = right.length;
  for (let i = 0; i < size; i++) {
    const row = gram[i]!;
    for (let j = 0; j <= i; j++) {
      const other = gram[j]!;
      let sum = row[j]!;
      for (let k = 0; k < j; k++) sum -= row[k]! * other[k]!;
      row[j] = i === j ? Math.sqrt(Math.max(sum, 1e-300)) : sum / other[j]!;
    }
  }
  const answer = Float64Array.from(right);
  for (let i = 0; i < size; i++) {
    for (let k = 0; k < i; k++) answer[i]! -= gram[i]![k]! * answer[k]!;
    answer[i]! /= gram[i]![i]!;
  }
  for (let i = size - 1; i >= 0; i--) {
    for (let k = i + 1; k < size; k++) answer[i]! -= gram[k]![i]! * answer[k]!;
    answer[i]! /= gram[i]![i]!;
  }
  return answer;
}
