import { type BillEstimate, billEstimators, estimateBills } from '../estimation/claude-bills.ts';
import { conversationCost, median, timed } from '../estimation/conversation-cost.ts';
import { exactTokens, type TextCounter, textCounters } from '../estimation/counters.ts';
import { footprint } from '../estimation/footprint.ts';
import { unseenSamples } from '../estimation/text-samples.ts';
import type { Sample } from '../fit/samples.ts';
import type { BenchOptions, Section, SectionResult } from '../section.ts';

/** What is promised; a measurement past it breaks the run, except for speed, which other work on the machine disturbs. */
const promised = {
  meanError: 0.04,
  percentile95: 0.1,
  kindBias: -0.1,
  gzippedBytes: 6000,
  heapBytes: 2 << 20,
  requestError: 0.08,
} as const;

/** Token estimation: accuracy, speed, weight, and Claude's bills. */
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
  if (ours!.mean > promised.meanError) broken.push(`mean error ${percent(ours!.mean)} of estimateTokens`);
  if (ours!.percentile95 > promised.percentile95)
    broken.push(`95th percentile ${percent(ours!.percentile95)} of estimateTokens`);
  for (const { kind, bias } of accuracy.kinds)
    if (bias < promised.kindBias) broken.push(`estimateTokens is under by ${percent(-bias)} on ${kind}`);

  const speed = measureSpeed(samples, quick);
  const pieces = samples.filter(({ kind }) => kind === 'transcript' || kind === 'code').map(({ text }) => text);
  const conversation = conversationCost(pieces, 4000, 2_000_000, quick ? 5 : 15);
  if (!conversation.noticesReplacement) broken.push('a message replaced in place was not counted again');
  const weight = await footprint();
  if (weight.gzippedBytes > promised.gzippedBytes) broken.push(`the root entry is ${weight.gzippedBytes} B gzipped`);
  if (weight.heapBytes > promised.heapBytes) broken.push(`the root entry takes ${weight.heapBytes} B of heap`);
  if (weight.outsideImports.length > 0) broken.push(`the root entry imports ${weight.outsideImports.join(', ')}`);

  const bills = dataFolder ? estimateBills(dataFolder) : [];
  const requests = summarize(bills.filter(({ bill }) => bill.source !== 'growth'));
  if (requests[0] && requests[0].mean > promised.requestError)
    broken.push(`mean error ${percent(requests[0].mean)} on whole Claude requests`);

  const fastestPeer = Math.max(
    ...speed
      .filter(({ name }) => name !== speed[0]!.name && name !== 'characters / 4')
      .map(({ megabytesPerSecond }) => megabytesPerSecond),
  );
  const markdown = [
    `**${(speed[0]!.megabytesPerSecond / fastestPeer).toFixed(1)} x** the fastest other tokenizer or estimator, at ${percent(ours!.mean)} mean error against exact o200k_base on ` +
      `${samples.length} pieces of 300 to 4,000 characters from documents and transcripts not fitted on${dataFolder ? '' : ' (no transcripts: data folder absent)'}.`,
    '',
    table(
      ['', 'MB/s', 'mean error', '95th percentile', 'bias'],
      speed.map(({ name, megabytesPerSecond }) => {
        const error = accuracy.overall.find((one) => one.name === name);
        return [
          name,
          megabytesPerSecond.toFixed(1),
          ...(error ? [percent(error.mean), percent(error.percentile95), percent(error.bias)] : ['exact', '', '']),
        ];
      }),
    ),
    '',
    'By kind of text, ours:',
    '',
    table(
      ['kind', 'pieces', 'mean error', '95th percentile', 'bias'],
      accuracy.kinds.map(({ kind, count, mean, percentile95, bias }) => [
        kind,
        String(count),
        percent(mean),
        percent(percentile95),
        percent(bias),
      ]),
    ),
    '',
    `A conversation of ${conversation.messages} messages and ${(conversation.tokens / 1e6).toFixed(2)}M tokens: first count ${conversation.firstMs.toFixed(1)} ms; ` +
      `after one message more ${conversation.appendMs.toFixed(3)} ms (array extended) and ${conversation.copyMs.toFixed(3)} ms (array copied).`,
    `Root entry: ${weight.gzippedBytes} B minified and gzipped, ${(weight.heapBytes / 1024).toFixed(0)} kB of heap with two encodings in use, imports from outside: ${weight.outsideImports.length}.`,
    ...(bills.length > 0
      ? ['', ...billTables(bills)]
      : ['', 'Claude’s bills: not measured, the data folder is absent.']),
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
  };
}

interface ErrorSummary {
  readonly count: number;
  readonly mean: number;
  readonly percentile95: number;
  readonly bias: number;
}

function errorsOf(errors: readonly number[]): ErrorSummary {
  const sizes = errors.map(Math.abs).sort((a, b) => a - b);
  const average = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;
  return {
    count: errors.length,
    mean: average(sizes),
    percentile95: sizes[Math.floor(sizes.length * 0.95)] ?? Number.NaN,
    bias: average(errors),
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

/** Megabytes (UTF-8) a second on transcripts, or on all there is: medians of interleaved rounds. */
function measureSpeed(samples: readonly Sample[], quick: boolean) {
  const transcripts = samples.filter(({ kind }) => kind === 'transcript');
  const texts = (transcripts.length > 0 ? transcripts : samples).map(({ text }) => text).slice(0, quick ? 120 : 600);
  const megabytes = texts.reduce((sum, text) => sum + Buffer.byteLength(text), 0) / 1e6;
  const rounds = textCounters.map((): number[] => []);
  for (let round = 0; round < (quick ? 3 : 7); round++) {
    for (const [at, counter] of textCounters.entries()) {
      // Fast ones are repeated, so that a round is long against the clock.
      const repeats = counter.exact || counter.name === 'tokenx' ? 1 : 10;
      const all = (): void => {
        for (let repeat = 0; repeat < repeats; repeat++) for (const text of texts) counter.count(text);
      };
      if (round === 0) all();
      rounds[at]!.push((megabytes * repeats * 1000) / timed(all));
    }
  }
  return textCounters.map(({ name }, at) => ({ name, megabytesPerSecond: median(rounds[at]!) }));
}

const summarize = (bills: readonly BillEstimate[]) =>
  bills.length === 0
    ? []
    : billEstimators.map((name) => ({
        name,
        ...errorsOf(bills.map(({ bill, estimates }) => estimates[name]! / bill.tokens - 1)),
      }));

function billTables(bills: readonly BillEstimate[]): string[] {
  const lines: string[] = [];
  for (const [title, sources] of [
    ['Whole Claude requests, against what was billed', ['request', 'cassette']],
    ['Growth of Claude prompts over whole sessions (sums), half not fitted on', ['growth']],
  ] as const) {
    const chosen = bills.filter(({ bill }) => (sources as readonly string[]).includes(bill.source));
    const rows = sources.length > 1 ? chosen : perSession(chosen);
    if (rows.length === 0) continue;
    lines.push(
      `${title}, ${rows.length}:`,
      '',
      table(
        ['', 'mean error', '95th percentile', 'bias'],
        summarize(rows).map(({ name, mean, percentile95, bias }) => [
          name,
          percent(mean),
          percent(percentile95),
          percent(bias),
        ]),
      ),
      '',
    );
    const models = [...new Set(rows.map(({ bill }) => bill.model))].sort();
    lines.push(
      table(
        ['model', 'bills', 'our bias'],
        models.map((model) => {
          const [own] = summarize(rows.filter(({ bill }) => bill.model === model));
          return [model, String(own!.count), percent(own!.bias)];
        }),
      ),
      '',
    );
  }
  return lines;
}

/** One growth is a few messages, and some hold what no transcript shows; a session is what has to be right. */
function perSession(bills: readonly BillEstimate[]): BillEstimate[] {
  const sessions = new Map<string, BillEstimate[]>();
  for (const one of bills)
    sessions.set(`${one.bill.id} ${one.bill.model}`, [
      ...(sessions.get(`${one.bill.id} ${one.bill.model}`) ?? []),
      one,
    ]);
  return [...sessions.values()].map((members) => ({
    bill: { ...members[0]!.bill, tokens: members.reduce((sum, { bill }) => sum + bill.tokens, 0) },
    estimates: Object.fromEntries(
      billEstimators.map((name) => [name, members.reduce((sum, { estimates }) => sum + estimates[name]!, 0)]),
    ),
  }));
}

const percent = (value: number): string => `${(value * 100).toFixed(1)} %`;
const table = (head: readonly string[], rows: readonly (readonly string[])[]): string =>
  [head, head.map((_, at) => (at === 0 ? '---' : '---:')), ...rows].map((row) => `| ${row.join(' | ')} |`).join('\n');
