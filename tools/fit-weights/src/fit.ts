import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { countTokens as countCl100k } from 'gpt-tokenizer/encoding/cl100k_base';
import { countTokens as countO200k } from 'gpt-tokenizer/encoding/o200k_base';
import { fitEnvelope } from './envelope-fit.ts';
import type { SparseRow } from './regression.ts';
import { readSamples, type Sample } from './samples.ts';
import { textFeatures, weigh } from './text-features.ts';
import { type Fit, type FittedRow, fitWeights } from './weight-fit.ts';

/**
 * Refits the estimator's weights from a folder of text, and writes `packages/tokens/src/estimate/weights.ts`:
 *
 *   pnpm --filter @palimpsest/fit-weights fit <folder> [--data <folder with billed requests>] [--dry]
 *
 * The folder contains `<kind>/<document>`, as `corpus.ts` creates it. Weights are fitted on one half of the documents; the
 * printed errors are measured on the other half.
 */
const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: { data: { type: 'string' }, dry: { type: 'boolean' } },
});
const folder = positionals[0];
if (!folder || !existsSync(folder)) {
  throw new Error(
    `fit: ${folder ? `there is no folder ${folder}` : 'name a folder of text'}: pnpm --filter @palimpsest/fit-weights fit <folder>; make one with pnpm --filter @palimpsest/fit-weights corpus`,
  );
}
const dataFolder = resolve(values.data ?? fileURLToPath(new URL('../../../../shared', import.meta.url)));
const target = fileURLToPath(new URL('../../../packages/tokens/src/estimate/weights.ts', import.meta.url));

/** Number of states and pairs in which an encoding differs from o200k_base. Small, to keep the package small. */
const differences = { cl100k: { states: 50, pairs: 60 }, claude: { states: 40, pairs: 0 } };
const ordinary = { disallowedSpecial: new Set<string>() };

/** Weight of a kind: highest for transcripts, then kinds with an accuracy target, then all other languages. */
const importanceOf = (kind: string): number =>
  kind === 'transcript' ? 8 : /^lang-(?!zh|tw|ja|ko|ru|ar|hi|th|de|fr|es|pt|it|tr|vi|pl)/.test(kind) ? 0.4 : 1;

/** Number of samples per kind and half. More samples do not change the result. */
const samplesOf = (kind: string): number => (kind === 'transcript' ? 3000 : importanceOf(kind) < 1 ? 120 : 400);

const began = performance.now();
const log = (line: string): void => void process.stdout.write(`${line}\n`);
const stage = (name: string): void =>
  void process.stderr.write(`${((performance.now() - began) / 1000).toFixed(0)} s: ${name}\n`);
type Row = Sample & { readonly features: SparseRow };
const rows: Row[] = readSamples(folder, samplesOf).map((sample) => ({
  ...sample,
  features: textFeatures([sample.text]),
}));
log(`${rows.length} samples`);

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

const countRows = (count: (row: Row) => number): Map<Row, number> =>
  new Map(rows.map((row) => [row, Math.max(1, count(row))]));
stage('counting o200k_base');
const o200k = countRows((row) => countO200k(row.text, ordinary));
stage('fitting o200k_base');
const toFittedRows = (counts: Map<Row, number>): FittedRow[] =>
  rows.flatMap((row) => (row.fitted ? [{ ...row, tokens: counts.get(row)!, importance: importanceOf(row.kind) }] : []));
const main = fitWeights(toFittedRows(o200k));
report('o200k_base', o200k, main.weights);

stage('cl100k_base');
const cl100k = countRows((row) => countCl100k(row.text, ordinary));
const older = fitWeights(toFittedRows(cl100k), { weights: main.weights, scale: 1, differing: differences.cl100k });
report('cl100k_base', cl100k, older.weights);

stage('claude');
const standIn = await claudeCounter();
const billed = fitEnvelope(dataFolder, main.weights, log);
// For Latin text, code and blobs, the bills give the ratio of Claude to o200k tokens. Of the other scripts, the bills
// contain only Japanese, so an open approximation of Claude's vocabulary is used there, scaled to the bills.
const claude = countRows((row) => {
  const exact = o200k.get(row)!;
  const foreign = [...row.text].filter((character) => character > '\u02ff').length / row.text.length;
  if (foreign < 0.02) return exact * billed.scale;
  return (
    exact * billed.scale * (1 - foreign) +
    foreign * Math.max(exact * billed.scale, standIn(row.text) * billed.standInScale)
  );
});
const claudeFit = fitWeights(toFittedRows(claude), {
  weights: main.weights,
  scale: billed.scale,
  differing: differences.claude,
});
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

/**
 * Counts tokens with an open approximation of Claude's vocabulary. Used only where no bills are available.
 * @throws when `ai-tokenizer` is not installed (it is a development dependency of the bench)
 */
async function claudeCounter(): Promise<(text: string) => number> {
  const [{ default: Tokenizer }, encoding] = await Promise.all([
    import('ai-tokenizer'),
    import('ai-tokenizer/encoding/claude'),
  ]);
  const tokenizer = new Tokenizer(encoding);
  return (text) => tokenizer.encode(text, [], []).length;
}
