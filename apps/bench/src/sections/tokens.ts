import type { Sample } from '@palimpsest/fit-weights/samples';
import { errorsOnBills } from '../estimation/claude-bills.ts';
import { exactTokens, type TextCounter, textCounters } from '../estimation/counters.ts';
import { type ErrorSummary, errorsOf } from '../estimation/error-summary.ts';
import { selectUnseen } from '../estimation/text-samples.ts';
import { readInstalledVersion } from '../read-installed-version.ts';
import type { BenchOptions, Measured, Section } from '../section.ts';
import { spreadOf, withRange } from '../spread.ts';
import { atLeast, atMost, failing, inPercent, inUnit } from '../target.ts';
import { calmest, type Round, timeRound } from '../time-round.ts';

/** Measures token estimation: accuracy, speed, memory, and agreement with billed Claude requests. */
export const tokens: Section = {
  name: 'tokens',
  title: 'Token estimation',
  async measure({ quick, dataFolder }: BenchOptions): Promise<Measured> {
    const roots = (process.env.PALIMPSEST_CORPUS_ROOTS ?? '').split(':').filter(Boolean);
    const samples = selectUnseen(dataFolder, roots, quick ? 40 : 150);
    const { overall, kinds } = measureAccuracy(
      samples,
      textCounters.filter((counter) => !counter.exact),
    );
    const speed = await measureSpeed(samples, quick);
    const bills = dataFolder ? errorsOnBills(dataFolder) : [];
    const [ours, { median: perSecond }] = [overall[0]!, speed[0]!.spread];
    const others = speed.slice(1).filter(({ name }) => name !== 'characters / 4');
    const lead = perSecond / Math.max(...others.map(({ spread }) => spread.median));
    const columns = ['mean error', '95th percentile', 'bias'];
    return {
      report: [
        `**${lead.toFixed(1)} x** the fastest other tokenizer or estimator, at ${inPercent(ours.mean)} mean error against exact o200k_base on ${samples.length} samples of 300 to 4,000 characters from documents and transcripts that were not used for fitting${dataFolder ? '' : ' (no transcripts: the data folder is missing)'}.`,
        {
          head: ['', 'MB/s: median (min to max)', ...columns],
          rows: speed.map(({ name, spread }) => [
            [name, versions[name]].join(' ').trim(),
            withRange(spread, 1),
            ...errorCells(overall.find((one) => one.name === name)),
          ]),
        },
        '`estimateTokens` by kind of text:',
        {
          head: ['kind', 'samples', ...columns],
          rows: kinds.map((one) => [one.kind, String(one.count), ...errorCells(one)]),
        },
        bills.length === 0
          ? 'Billed Claude requests were not measured: the data folder is missing.'
          : `Whole Claude requests, compared with billed tokens, ${bills[0]!.count}:`,
        { head: ['', ...columns], rows: bills.map((one) => [one.name, ...errorCells(one)]) },
      ],
      figures: { overall, kinds, speed, bills },
      targets: [
        failing(atMost('tokens', 'mean error against exact o200k_base', 0.04, ours.mean, inPercent)),
        failing(atMost('tokens', '95th percentile of the error', 0.1, ours.percentile95, inPercent)),
        failing(
          atLeast(
            'tokens',
            'bias on the worst kind of text',
            -0.1,
            Math.min(...kinds.map((one) => one.bias)),
            inPercent,
          ),
        ),
        atLeast('tokens', 'speed', 100, perSecond, inUnit(1, 'MB/s')),
        atLeast('tokens', 'speed, relative to the fastest other tokenizer or estimator', 6, lead, inUnit(1, 'x')),
        ...bills
          .slice(0, 1)
          .map(({ mean }) => failing(atMost('tokens', 'mean error on whole Claude requests', 0.08, mean, inPercent))),
      ],
    };
  },
};

/** An exact counter has no errors. */
const errorCells = (errors: ErrorSummary | undefined): string[] =>
  errors ? [errors.mean, errors.percentile95, errors.bias].map(inPercent) : ['exact', '', ''];

function measureAccuracy(samples: readonly Sample[], counters: readonly TextCounter[]) {
  const exact = new Map(samples.map((sample) => [sample, exactTokens(sample.text)]));
  const errors = (counter: TextCounter, some: readonly Sample[]): ErrorSummary =>
    errorsOf(some.map((sample) => counter.count(sample.text) / exact.get(sample)! - 1));
  return {
    overall: counters.map((counter) => ({ name: counter.name, ...errors(counter, samples) })),
    kinds: [...new Set(samples.map(({ kind }) => kind))].sort().map((kind) => ({
      kind,
      ...errors(
        counters[0]!,
        samples.filter((sample) => sample.kind === kind),
      ),
    })),
  };
}

/** Measures UTF-8 megabytes per second on the transcript samples, or on all samples if there are none. Rounds are interleaved. */
async function measureSpeed(samples: readonly Sample[], quick: boolean) {
  const transcripts = samples.filter(({ kind }) => kind === 'transcript');
  const texts = (transcripts.length > 0 ? transcripts : samples).map(({ text }) => text).slice(0, quick ? 120 : 600);
  const megabytes = texts.reduce((sum, text) => sum + Buffer.byteLength(text), 0) / 1e6;
  // Fast counters are repeated so that a round is much longer than the timer's resolution.
  const subjects = textCounters.map((counter) => ({
    ...counter,
    repeats: counter.exact || counter.name === 'tokenx' ? 1 : 10,
    rounds: [] as Round[],
  }));
  for (let round = 0; round < (quick ? 3 : 7); round++) {
    for (const { repeats, rounds, count } of subjects) {
      const all = (): void => {
        for (let repeat = 0; repeat < repeats; repeat++) for (const text of texts) count(text);
      };
      if (round === 0) all();
      rounds.push(await timeRound(all));
    }
  }
  return subjects.map(({ name, repeats, rounds }) => ({
    name,
    spread: spreadOf(calmest(rounds).map((ms) => (megabytes * repeats * 1_000) / ms)),
  }));
}

const versions: Readonly<Record<string, string>> = Object.fromEntries(
  ['tokenx', 'ai-tokenizer', 'gpt-tokenizer', 'js-tiktoken'].map((name) => [name, readInstalledVersion(name)]),
);
