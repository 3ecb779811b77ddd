import { pairUnits, unitsPerToken } from '../../../packages/tokens/src/estimate/text-model.ts';
import { packWeights, roundPair } from './pack.ts';
import { type SparseRow, solveRidge } from './regression.ts';
import { featureCount, firstPair, weigh } from './text-features.ts';

/** Number of letter pairs with their own weight. More pairs change little on held-out text. */
const pairLimit = 440;
/** Ridge penalty, chosen on held-out text, where 10 times more or less is slightly worse. */
const ridge = 2e-6;

/** A text to fit on: its features, its exact token count and the weight of its kind. */
export interface FittedRow {
  readonly kind: string;
  readonly features: SparseRow;
  readonly tokens: number;
  readonly importance: number;
}

/** Fitted weights in tokens by feature, rounded for packing, and their packed form. */
export interface Fit {
  readonly weights: Float64Array;
  readonly states: string;
  readonly pairs: string;
}

/** Builds the regression rows: relative, so that short texts count as much as long ones, plus one row per kind for its average. */
function relativeRows(rows: readonly FittedRow[], base: Float64Array | undefined, scale: number) {
  const kinds = new Map<string, FittedRow[]>();
  for (const row of rows) {
    const members = kinds.get(row.kind) ?? [];
    kinds.set(row.kind, members);
    members.push(row);
  }
  const sparse: SparseRow[] = [];
  const targets: number[] = [];
  const importance: number[] = [];
  const add = (features: SparseRow, target: number, weight: number): void => {
    sparse.push(features);
    targets.push(target);
    importance.push(weight);
  };
  for (const members of kinds.values()) {
    const kindImportance = members[0]!.importance;
    const mean = new Float64Array(featureCount);
    let meanTarget = 0;
    for (const row of members) {
      const { tokens } = row;
      const relative = { indices: row.features.indices, counts: row.features.counts.map((count) => count / tokens) };
      const rest = 1 - (base ? (scale * weigh(row.features, base)) / tokens : 0);
      add(relative, rest, kindImportance / members.length);
      relative.indices.forEach((index, at) => (mean[index]! += relative.counts[at]! / members.length));
      meanTarget += rest / members.length;
    }
    const indices = Int32Array.from([...mean.keys()].filter((at) => mean[at]! > 0));
    // Aim slightly high: for a budget, an overestimate is safer than an underestimate.
    add({ indices, counts: Float64Array.from(indices, (at) => mean[at]!) }, meanTarget + 0.004, kindImportance * 0.7);
  }
  const total = importance.reduce((sum, weight) => sum + weight, 0);
  return {
    rows: sparse,
    targets: Float64Array.from(targets),
    importance: Float64Array.from(importance, (weight) => weight / total),
  };
}

/** Weights of another encoding to start from, and the number of states and pairs that may differ from them. */
export interface Base {
  readonly weights: Float64Array;
  readonly scale: number;
  readonly differing: { readonly states: number; readonly pairs: number };
}

/** Fits weights to exact counts by ridge regression, drops the least useful features, then rounds and refits the rest. */
export function fitWeights(rows: readonly FittedRow[], from?: Base): Fit {
  const { weights: base, scale = 0, differing = { states: firstPair, pairs: pairLimit } } = from ?? {};
  const problem = relativeRows(rows, base, scale);
  const occurrences = new Float64Array(featureCount);
  const spread = new Float64Array(featureCount);
  for (const [at, { indices, counts: values }] of problem.rows.entries()) {
    indices.forEach((index, entry) => {
      occurrences[index]! += 1;
      spread[index]! += problem.importance[at]! * values[entry]! ** 2;
    });
  }
  const seen = [...occurrences.keys()].filter(
    (at) => occurrences[at]! >= (base ? 1000 : 100) && (at < firstPair || differing.pairs > 0),
  );
  const isState = (at: number): boolean => at < firstPair;
  // Drop half of the least useful features at a time and refit: correlated features can replace each other.
  let features = seen;
  let solved = solveRidge({ ...problem, features, ridge });
  for (let done = false; !done; ) {
    const worth = (at: number): number => solved.get(at)! ** 2 * spread[at]!;
    const best = (of: readonly number[], minCount: number): number[] =>
      [...of].sort((one, other) => worth(other) - worth(one)).slice(0, Math.max(minCount, of.length >> 1));
    const states = best(features.filter(isState), differing.states);
    const pairs = best(
      features.filter((at) => !isState(at)),
      differing.pairs,
    );
    done = states.length + pairs.length === features.length;
    features = [...states, ...pairs];
    if (!done) solved = solveRidge({ ...problem, features, ridge });
  }
  const states = features.filter(isState);
  const kept = features.filter((at) => !isState(at));
  // Round the pairs first; the states, which have finer steps, then compensate.
  const weights = new Float64Array(featureCount);
  for (const at of kept) weights[at] = (roundPair(solved.get(at)!) * pairUnits) / unitsPerToken;
  const remaining = problem.targets.map((value, at) => value - weigh(problem.rows[at]!, weights));
  for (const [at, weight] of solveRidge({ ...problem, targets: remaining, features: states, ridge }))
    weights[at] = weight;
  const { rounded, ...packed } = packWeights(weights);
  const total = rounded.map((weight, at) => weight + (base ? scale * base[at]! : 0));
  return { weights: total, ...packed };
}
