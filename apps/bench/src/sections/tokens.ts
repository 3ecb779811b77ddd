import type { Sample } from '@palimpsest/fit-weights/samples';
import { billTables, summarize } from '../estimation/bill-tables.ts';
import { estimateBills } from '../estimation/claude-bills.ts';
import { conversationCost } from '../estimation/conversation-cost.ts';
import { exactTokens, type TextCounter, textCounters } from '../estimation/counters.ts';
import { type ErrorSummary, errorsOf } from '../estimation/error-summary.ts';
import { footprint } from '../estimation/footprint.ts';
import { unseenSamples } from '../estimation/text-samples.ts';
import { installedVersion } from '../installed-version.ts';
import type { BenchOptions, Measured, Section } from '../section.ts';
import { spreadOf, withRange } from '../spread.ts';
import { atLeast, atMost, failing, inPercent, inUnit, type Target } from '../target.ts';
import { calmest, type Round, timedRound } from '../timed-round.ts';

/** Measures token estimation: accuracy, speed, memory, and agreement with billed Claude requests. */
export const tokens: Section = {
  name: 'tokens',
  title: 'Token estimation',
  async measure({ quick, dataFolder }: BenchOptions): Promise<Measured> {
    const roots = (process.env.PALIMPSEST_CORPUS_ROOTS ?? '').split(':').filter(Boolean);
    const samples = unseenSamples(dataFolder, roots, quick ? 40 : 150);
    const accuracy = measureAccuracy(
      samples,
      textCounters.filter((counter) => !counter.exact),
    );
    const speed = await measureSpeed(samples, quick);
    const pieces = samples.filter(({ kind }) => kind === 'transcript' || kind === 'code').map(({ text }) => text);
    const conversation = await conversationCost(pieces, 4000, 2_000_000, quick ? 5 : 15);
    const weight = await footprint();
    const bills = dataFolder ? estimateBills(dataFolder) : [];
    const [requests, growths] = [false, true].map((grown) =>
      summarize(bills.filter(({ bill }) => (bill.source === 'growth') === grown)),
    );
    const ours = { ...accuracy.overall[0]!, megabytesPerSecond: speed[0]!.megabytesPerSecond };
    const others = speed.slice(1).filter(({ name }) => name !== 'characters / 4');
    const lead = ours.megabytesPerSecond / Math.max(...others.map(({ megabytesPerSecond }) => megabytesPerSecond));
    const heapKilobytes = weight.heapBytes / 1024;
    return {
      report: [
        `**${lead.toFixed(1)} x** the fastest other tokenizer or estimator, at ${inPercent(ours.mean)} mean error against exact o200k_base on ${samples.length} samples of 300 to 4,000 characters from documents and transcripts that were not used for fitting${dataFolder ? '' : ' (no transcripts: the data folder is missing)'}.`,
        {
          head: ['', 'MB/s: median (min to max)', 'mean error', '95th percentile', 'bias'],
          rows: speed.map(({ name, spread }) => [
            versions[name] ? `${name} ${versions[name]}` : name,
            withRange(spread, 1),
            ...errorCells(accuracy.overall.find((one) => one.name === name)),
          ]),
        },
        '`estimateTokens` by kind of text:',
        {
          head: ['kind', 'samples', 'mean error', '95th percentile', 'bias'],
          rows: accuracy.kinds.map((one) => [one.kind, String(one.count), ...errorCells(one)]),
        },
        `A conversation of ${conversation.messages} messages and ${(conversation.tokens / 1e6).toFixed(2)}M tokens: first count ${conversation.firstMs.toFixed(1)} ms; recount after one more message ${conversation.appendMs.toFixed(3)} ms (array extended) or ${conversation.copyMs.toFixed(3)} ms (array copied).`,
        `Root entry: ${heapKilobytes.toFixed(0)} kB of heap with two encodings in use; external imports: ${weight.outsideImports.length}.`,
        ...(bills.length > 0
          ? billTables(bills)
          : ['Billed Claude requests were not measured: the data folder is missing.']),
      ],
      figures: { accuracy, speed, conversation, weight, requests, growths },
      broken: [
        ...(conversation.noticesReplacement ? [] : ['a message replaced in place was not recounted']),
        ...weight.outsideImports.map((name) => `the root entry imports ${name}`),
      ],
      targets: targetsOf({ ...ours, lead, kinds: accuracy.kinds, conversation, heapKilobytes, requests: requests! }),
    };
  },
};

interface Results extends ErrorSummary {
  readonly megabytesPerSecond: number;
  readonly lead: number;
  readonly kinds: readonly ErrorSummary[];
  readonly conversation: { readonly firstMs: number; readonly appendMs: number };
  readonly heapKilobytes: number;
  readonly requests: readonly ErrorSummary[];
}

const targetsOf = (one: Results): Target[] => [
  failing(atMost('tokens', 'mean error against exact o200k_base', 0.04, one.mean, inPercent)),
  failing(atMost('tokens', '95th percentile of the error', 0.1, one.percentile95, inPercent)),
  failing(
    atLeast(
      'tokens',
      'bias on the worst kind of text',
      -0.1,
      Math.min(...one.kinds.map(({ bias }) => bias)),
      inPercent,
    ),
  ),
  atLeast('tokens', 'speed', 100, one.megabytesPerSecond, inUnit(1, 'MB/s')),
  atLeast('tokens', 'speed, relative to the fastest other tokenizer or estimator', 6, one.lead, inUnit(1, 'x')),
  atMost('tokens', '4,000 messages of 2M tokens: first count', 100, one.conversation.firstMs, inUnit(1, 'ms')),
  atMost('tokens', 'recount after one more message', 0.1, one.conversation.appendMs, inUnit(3, 'ms')),
  failing(atMost('tokens', 'heap of the root entry', 2048, one.heapKilobytes, inUnit(0, 'kB'))),
  ...one.requests
    .slice(0, 1)
    .map(({ mean }) => failing(atMost('tokens', 'mean error on whole Claude requests', 0.08, mean, inPercent))),
];

/** An exact counter has no errors. */
const errorCells = (errors: ErrorSummary | undefined): string[] =>
  errors ? [errors.mean, errors.percentile95, errors.bias].map(inPercent) : ['exact', '', ''];

function measureAccuracy(samples: readonly Sample[], counters: readonly TextCounter[]) {
  const exact = samples.map(({ text }) => exactTokens(text));
  const overall = counters.map((counter) => ({
    name: counter.name,
    ...errorsOf(samples.map(({ text }, at) => counter.count(text) / exact[at]! - 1)),
  }));
  const kinds = [...new Set(samples.map(({ kind }) => kind))].sort().map((kind) => ({
    kind,
    ...errorsOf(
      samples.flatMap((sample, at) => (sample.kind === kind ? [counters[0]!.count(sample.text) / exact[at]! - 1] : [])),
    ),
  }));
  return { overall, kinds };
}

/** Measures UTF-8 megabytes per second on the transcript samples, or on all samples if there are none. Rounds are interleaved. */
async function measureSpeed(samples: readonly Sample[], quick: boolean) {
  const transcripts = samples.filter(({ kind }) => kind === 'transcript');
  const texts = (transcripts.length > 0 ? transcripts : samples).map(({ text }) => text).slice(0, quick ? 120 : 600);
  const megabytes = texts.reduce((sum, text) => sum + Buffer.byteLength(text), 0) / 1e6;
  const rounds = textCounters.map((): Round[] => []);
  // Fast counters are repeated so that a round is much longer than the timer's resolution.
  const repeats = textCounters.map(({ exact, name }) => (exact || name === 'tokenx' ? 1 : 10));
  for (let round = 0; round < (quick ? 3 : 7); round++) {
    for (const [at, counter] of textCounters.entries()) {
      const all = (): void => {
        for (let repeat = 0; repeat < repeats[at]!; repeat++) for (const text of texts) counter.count(text);
      };
      if (round === 0) all();
      rounds[at]!.push(await timedRound(all));
    }
  }
  return textCounters.map(({ name }, at) => {
    const spread = spreadOf(calmest(rounds[at]!).map((ms) => (megabytes * repeats[at]! * 1_000) / ms));
    return { name, megabytesPerSecond: spread.median, spread };
  });
}

const versions: Readonly<Record<string, string>> = Object.fromEntries(
  ['tokenx', 'ai-tokenizer', 'gpt-tokenizer', 'js-tiktoken'].map((name) => [name, installedVersion(name)]),
);
