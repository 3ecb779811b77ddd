import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { countTokens as countCl100k } from 'gpt-tokenizer/encoding/cl100k_base';
import { countTokens as countO200k } from 'gpt-tokenizer/encoding/o200k_base';
import { pairUnits, unitsPerToken } from '../../../../packages/tokens/src/text-model.ts';
import { claudeCounter } from './claude-stand-in.ts';
import { fitEnvelope } from './envelope-fit.ts';
import { packWeights, roundPair } from './pack.ts';
import { type SparseRow, solveRidge } from './regression.ts';
import { readSamples, type Sample } from './samples.ts';
import { featureCount, firstPair, textFeatures, weigh } from './text-features.ts';

/**
 * Refits the estimator's weights from a folder of text, and writes `packages/tokens/src/weights.ts`:
 *
 *   pnpm --filter @palimpsest/bench fit <folder> [--data <folder with billed requests>] [--dry]
 *
 * The folder holds `<kind>/<document>`, as `corpus.ts` makes it; any folder of that shape will do. Weights are fitted on
 * one half of the documents; the errors printed are those of the other half.
 */
const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: { data: { type: 'string' }, dry: { type: 'boolean' } },
});
const folder = positionals[0];
if (!folder || !existsSync(folder)) {
  throw new Error(
    `fit: ${folder ? `there is no folder ${folder}` : 'name a folder of text'}: pnpm --filter @palimpsest/bench fit <folder>; src/fit/corpus.ts makes one`,
  );
}
const dataFolder = resolve(values.data ?? fileURLToPath(new URL('../../../../../shared', import.meta.url)));
const target = fileURLToPath(new URL('../../../../packages/tokens/src/weights.ts', import.meta.url));

/** Pairs of letters that get a weight of their own; more of them change nothing on text not fitted on. */
const pairLimit = 500;
/** In how many states (and no pairs) another encoding differs from o200k_base: few, for the size of the package. */
const differingStates = 64;
const ridge = 2e-6;
const ordinary = { disallowedSpecial: new Set<string>() };

/** How much a kind matters: what fills an agent's context most, then what is promised, then all other languages. */
const importanceOf = (kind: string): number =>
  kind === 'transcript' ? 8 : /^lang-(?!zh|tw|ja|ko|ru|ar|hi|th|de|fr|es|pt|it|tr|vi|pl)/.test(kind) ? 0.4 : 1;

/** Samples per kind and half: enough that more change nothing. */
const samplesOf = (kind: string): number => (kind === 'transcript' ? 3000 : importanceOf(kind) < 1 ? 120 : 400);

interface Row extends Sample {
  readonly features: SparseRow;
}

const began = performance.now();
const log = (line: string): void => void process.stdout.write(`${line}\n`);
const stage = (name: string): void =>
  void process.stderr.write(`${((performance.now() - began) / 1000).toFixed(0)} s: ${name}\n`);
const rows: Row[] = readSamples(folder, samplesOf).map((sample) => ({
  ...sample,
  features: textFeatures([sample.text]),
}));
const kindsOf = new Map<string, Row[]>();
for (const row of rows) if (row.fitted) kindsOf.set(row.kind, [...(kindsOf.get(row.kind) ?? []), row]);
log(`${rows.length} samples of ${kindsOf.size} kinds`);

interface Fit {
  readonly weights: Float64Array;
  readonly states: string;
  readonly pairs: string;
}

/** Rows for the regression: relative, so that a short text matters like a long one, and one more per kind for its average. */
function relativeRows(counts: Map<Row, number>, base: Float64Array | undefined, scale: number) {
  const sparse: SparseRow[] = [];
  const targets: number[] = [];
  const importance: number[] = [];
  const add = (features: SparseRow, target: number, weight: number): void => {
    sparse.push(features);
    targets.push(target);
    importance.push(weight);
  };
  for (const [kind, members] of kindsOf) {
    const mean = new Float64Array(featureCount);
    let meanTarget = 0;
    for (const row of members) {
      const tokens = counts.get(row)!;
      const relative = { indices: row.features.indices, counts: row.features.counts.map((count) => count / tokens) };
      const rest = 1 - (base ? (scale * weigh(row.features, base)) / tokens : 0);
      add(relative, rest, importanceOf(kind) / members.length);
      relative.indices.forEach((index, at) => (mean[index]! += relative.counts[at]! / members.length));
      meanTarget += rest / members.length;
    }
    const indices = Int32Array.from([...mean.keys()].filter((at) => mean[at]! > 0));
    // A hair over: a budget forgives counting too much.
    add(
      { indices, counts: Float64Array.from(indices, (at) => mean[at]!) },
      meanTarget + 0.004,
      importanceOf(kind) * 0.7,
    );
  }
  const total = importance.reduce((sum, weight) => sum + weight, 0);
  return {
    rows: sparse,
    targets: Float64Array.from(targets),
    importance: Float64Array.from(importance, (weight) => weight / total),
  };
}

function fitWeights(counts: Map<Row, number>, base?: Float64Array, scale = 0): Fit {
  const problem = relativeRows(counts, base, scale);
  const occurrences = new Float64Array(featureCount);
  const spread = new Float64Array(featureCount);
  for (const [at, { indices, counts: values }] of problem.rows.entries()) {
    indices.forEach((index, entry) => {
      occurrences[index]! += 1;
      spread[index]! += problem.importance[at]! * values[entry]! ** 2;
    });
  }
  const seen = [...occurrences.keys()].filter((at) => occurrences[at]! >= 100 && (at < firstPair || !base));
  const isState = (at: number): boolean => at < firstPair;
  const limit = base ? differingStates : firstPair;
  // The least worth is dropped by halves, and the rest fitted anew: features that say the same can stand in for each other.
  let features = seen;
  let solved = solveRidge({ ...problem, features, ridge });
  for (let done = false; !done; ) {
    const worth = (at: number): number => solved.get(at)! ** 2 * spread[at]!;
    const best = (of: readonly number[], most: number): number[] =>
      [...of].sort((one, other) => worth(other) - worth(one)).slice(0, Math.max(most, of.length >> 1));
    const states = best(features.filter(isState), limit);
    const pairs = best(
      features.filter((at) => !isState(at)),
      base ? 0 : pairLimit,
    );
    done = states.length + pairs.length === features.length;
    features = [...states, ...pairs];
    if (!done) solved = solveRidge({ ...problem, features, ridge });
  }
  const states = features.filter(isState);
  const kept = features.filter((at) => !isState(at));
  const second = solved;
  // Pairs are rounded first; states, which are rounded finely, then make up for it.
  const weights = new Float64Array(featureCount);
  for (const at of kept) weights[at] = (roundPair(second.get(at)!) * pairUnits) / unitsPerToken;
  const remaining = problem.targets.map((value, at) => value - weigh(problem.rows[at]!, weights));
  for (const [at, weight] of solveRidge({ ...problem, targets: remaining, features: states, ridge }))
    weights[at] = weight;
  const { rounded, ...packed } = packWeights(weights);
  const total = rounded.map((weight, at) => weight + (base ? scale * base[at]! : 0));
  return { weights: total, ...packed };
}

function report(name: string, counts: Map<Row, number>, weights: Float64Array): void {
  const errors = new Map<string, number[]>();
  for (const row of rows) {
    if (!row.fitted)
      errors.set(row.kind, [...(errors.get(row.kind) ?? []), weigh(row.features, weights) / counts.get(row)! - 1]);
  }
  log(`\n${name} on the half not fitted on: mean error, 95th percentile, bias`);
  for (const [kind, list] of errors) {
    const sizes = list.map(Math.abs).sort((a, b) => a - b);
    const mean = (of: number[]): number => of.reduce((sum, value) => sum + value, 0) / of.length;
    log(
      `${kind.padEnd(12)} ${percent(mean(sizes))} ${percent(sizes[Math.floor(sizes.length * 0.95)]!)} ${percent(mean(list))}`,
    );
  }
}
const percent = (value: number): string => `${(value * 100).toFixed(1)} %`.padStart(8);

const counted = (count: (row: Row) => number): Map<Row, number> =>
  new Map(rows.map((row) => [row, Math.max(1, count(row))]));
stage('counting o200k_base');
const o200k = counted((row) => countO200k(row.text, ordinary));
stage('fitting o200k_base');
const main = fitWeights(o200k);
report('o200k_base', o200k, main.weights);

stage('cl100k_base');
const cl100k = counted((row) => countCl100k(row.text, ordinary));
const older = fitWeights(cl100k, main.weights, 1);
report('cl100k_base', cl100k, older.weights);

stage('claude');
const standIn = await claudeCounter();
const billed = fitEnvelope(dataFolder, main.weights, log);
// Latin text, code and blobs: what was billed says how Claude relates to o200k. Nothing billed at hand is in the other
// scripts except Japanese, so there an open approximation of Claude's vocabulary is followed, scaled to the bill.
const claude = counted((row) => {
  const exact = o200k.get(row)!;
  const foreign = [...row.text].filter((character) => character > '\u02ff').length / row.text.length;
  if (foreign < 0.02) return exact * billed.scale;
  return (
    exact * billed.scale * (1 - foreign) +
    foreign * Math.max(exact * billed.scale, standIn(row.text) * billed.standInScale)
  );
});
const claudeFit = fitWeights(claude, main.weights, billed.scale);
report('claude (against its own targets)', claude, claudeFit.weights);

if (!values.dry) {
  const entry = (name: string, head: string, { states, pairs }: Fit): string =>
    `  ${name}: {\n    ${head},\n    states: '${states}',\n    pairs: '${pairs}',\n  },\n`;
  const source = readFileSync(target, 'utf8');
  const head = source.slice(0, source.indexOf('export const weights'));
  const recent =
    /^ {2}'claude-4\.7'.*$/m.exec(source)?.[0] ??
    "  'claude-4.7': { base: 'claude', scale: 1.25, states: '', pairs: '' },";
  writeFileSync(
    target,
    `${head}export const weights: Readonly<Record<Encoding, Weights>> = {\n${entry('o200k_base', 'scale: 1', main)}` +
      `${entry('cl100k_base', "base: 'o200k_base',\n    scale: 1", older)}${entry('claude', `base: 'o200k_base',\n    scale: ${billed.scale}`, claudeFit)}${recent}\n};\n`,
  );
  log(`\nwritten: ${target}`);
}
