import type { Sample } from '@palimpsest/fit-weights/samples';
import { billTables, summarize } from '../estimation/bill-tables.ts';
import { estimateBills } from '../estimation/claude-bills.ts';
import { conversationCost } from '../estimation/conversation-cost.ts';
import { exactTokens, type TextCounter, textCounters } from '../estimation/counters.ts';
import { errorsOf } from '../estimation/error-summary.ts';
import { footprint } from '../estimation/footprint.ts';
import { unseenSamples } from '../estimation/text-samples.ts';
import { installedVersion } from '../installed-version.ts';
import { markdownTable } from '../markdown-table.ts';
import type { BenchOptions, Section, SectionResult } from '../section.ts';
import { spreadOf, withRange } from '../spread.ts';
import { atLeast, atMost, inPercent, inUnit } from '../target.ts';
import { calmest, type Round, timedRound } from '../timed-round.ts';

/** Targets. A miss fails the run, except for times and speeds, which other work on the machine disturbs. */
const limits = {
  meanError: 0.04,
  percentile95: 0.1,
  kindBias: -0.1,
  heapBytes: 2 << 20,
  requestError: 0.08,
  megabytesPerSecond: 100,
  timesFastest: 6,
  firstMs: 100,
  appendMs: 0.1,
} as const;

/** Measures token estimation: accuracy, speed, memory, and agreement with billed Claude requests. */
export const tokens: Section = { name: 'tokens', title: 'Token estimation', run };

async function run({ quick, dataFolder }: BenchOptions): Promise<SectionResult> {
  const broken: string[] = [];
  const roots = (process.env.PALIMPSEST_CORPUS_ROOTS ?? '').split(':').filter(Boolean);
  const samples = unseenSamples(dataFolder, roots, quick ? 40 : 150);
  const accuracy = measureAccuracy(
    samples,
    textCounters.filter((counter) => !counter.exact),
  );
  const [ours] = accuracy.overall;
  if (ours!.mean > limits.meanError) broken.push(`estimateTokens has a mean error of ${inPercent(ours!.mean)}`);
  if (ours!.percentile95 > limits.percentile95)
    broken.push(`estimateTokens has an error of ${inPercent(ours!.percentile95)} at the 95th percentile`);
  for (const { kind, bias } of accuracy.kinds)
    if (bias < limits.kindBias) broken.push(`estimateTokens is ${inPercent(-bias)} too low on ${kind}`);

  const speed = await measureSpeed(samples, quick);
  const pieces = samples.filter(({ kind }) => kind === 'transcript' || kind === 'code').map(({ text }) => text);
  const conversation = await conversationCost(pieces, 4000, 2_000_000, quick ? 5 : 15);
  if (!conversation.noticesReplacement) broken.push('a message replaced in place was not recounted');
  const weight = await footprint();
  if (weight.heapBytes > limits.heapBytes) broken.push(`the root entry uses ${weight.heapBytes} bytes of heap`);
  if (weight.outsideImports.length > 0) broken.push(`the root entry imports ${weight.outsideImports.join(', ')}`);

  const bills = dataFolder ? estimateBills(dataFolder) : [];
  const requests = summarize(bills.filter(({ bill }) => bill.source !== 'growth'));
  if (requests[0] && requests[0].mean > limits.requestError)
    broken.push(`the mean error on whole Claude requests is ${inPercent(requests[0].mean)}`);

  const fastestPeer = Math.max(
    ...speed
      .filter(({ name }) => name !== speed[0]!.name && name !== 'characters / 4')
      .map(({ megabytesPerSecond }) => megabytesPerSecond),
  );
  const markdown = [
    `**${(speed[0]!.megabytesPerSecond / fastestPeer).toFixed(1)} x** the fastest other tokenizer or estimator, at ${inPercent(ours!.mean)} mean error against exact o200k_base on ` +
      `${samples.length} samples of 300 to 4,000 characters from documents and transcripts that were not used for fitting${dataFolder ? '' : ' (no transcripts: the data folder is missing)'}.`,
    '',
    markdownTable(
      ['', 'MB/s: median (min to max)', 'mean error', '95th percentile', 'bias'],
      speed.map(({ name, spread }) => {
        const error = accuracy.overall.find((one) => one.name === name);
        return [
          versions[name] ? `${name} ${versions[name]}` : name,
          withRange(spread, 1),
          ...(error
            ? [inPercent(error.mean), inPercent(error.percentile95), inPercent(error.bias)]
            : ['exact', '', '']),
        ];
      }),
    ),
    '',
    '`estimateTokens` by kind of text:',
    '',
    markdownTable(
      ['kind', 'samples', 'mean error', '95th percentile', 'bias'],
      accuracy.kinds.map(({ kind, count, mean, percentile95, bias }) => [
        kind,
        String(count),
        inPercent(mean),
        inPercent(percentile95),
        inPercent(bias),
      ]),
    ),
    '',
    `A conversation of ${conversation.messages} messages and ${(conversation.tokens / 1e6).toFixed(2)}M tokens: first count ${conversation.firstMs.toFixed(1)} ms; ` +
      `recount after one more message ${conversation.appendMs.toFixed(3)} ms (array extended) or ${conversation.copyMs.toFixed(3)} ms (array copied).`,
    `Root entry: ${(weight.heapBytes / 1024).toFixed(0)} kB of heap with two encodings in use; external imports: ${weight.outsideImports.length}.`,
    ...(bills.length > 0
      ? ['', ...billTables(bills)]
      : ['', 'Billed Claude requests were not measured: the data folder is missing.']),
  ].join('\n');
  return {
    markdown,
    figures: {
      accuracy,
      speed,
      conversation,
      weight,
      requests,
      growths: summarize(bills.filter(({ bill }) => bill.source === 'growth')),
    },
    broken,
    targets: [
      atMost('tokens', 'mean error against exact o200k_base', limits.meanError, ours!.mean, inPercent),
      atMost('tokens', '95th percentile of the error', limits.percentile95, ours!.percentile95, inPercent),
      atLeast(
        'tokens',
        'bias on the worst kind of text',
        limits.kindBias,
        Math.min(...accuracy.kinds.map(({ bias }) => bias)),
        inPercent,
      ),
      atLeast('tokens', 'speed', limits.megabytesPerSecond, speed[0]!.megabytesPerSecond, inUnit(1, 'MB/s')),
      atLeast(
        'tokens',
        'speed, relative to the fastest other tokenizer or estimator',
        limits.timesFastest,
        speed[0]!.megabytesPerSecond / fastestPeer,
        inUnit(1, 'x'),
      ),
      atMost(
        'tokens',
        '4,000 messages of 2M tokens: first count',
        limits.firstMs,
        conversation.firstMs,
        inUnit(1, 'ms'),
      ),
      atMost('tokens', 'recount after one more message', limits.appendMs, conversation.appendMs, inUnit(3, 'ms')),
      atMost('tokens', 'heap of the root entry', limits.heapBytes / 1024, weight.heapBytes / 1024, inUnit(0, 'kB')),
      ...(requests[0]
        ? [atMost('tokens', 'mean error on whole Claude requests', limits.requestError, requests[0].mean, inPercent)]
        : []),
    ],
  };
}

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
