import { Transcript } from '@palimpsest/core/authoring';
import type { NamedTranscript } from '@palimpsest/eval/measures';
import { cachePrices } from '@palimpsest/pruner';
import { createTokenCounter } from '@palimpsest/tokens';
import { type Habit, simulate } from '../pruning/cache-simulation.ts';
import { compareReuse, type Reuse, summarizeReuse } from '../pruning/compare-reuse.ts';
import { type PlanSpeed, type PlanSpeeds, timeInFreshProcesses } from '../pruning/plan-speed.ts';
import type { BenchOptions, Section, SectionResult } from '../section.ts';
import { withRange } from '../spread.ts';
import { atLeast, atMost, inPercent, inUnit, type Target } from '../target.ts';
import { readTranscripts } from '../transcripts.ts';

/** Most that four times the messages may cost, as a factor: linear growth plus room for noise. */
const growth = 4.5;
/** Least tokens reclaimed, relative to plain placeholders at the same policy. */
const leastReclaimed = 0.94;
/** Highest cost of gated pruning, relative to the cheaper of `never` and `threshold`. */
const mostCost = 1.01;

const habits: readonly Habit[] = ['never', 'every turn', 'threshold', 'gated'];

/** The default threshold of 0.75 in a window of 200,000 tokens, the size the recorded sessions had. */
const thresholdTokens = 150_000;

/** Measures the pruner: planning speed, recall compared with plain placeholders, and prompt-cache cost. */
export const pruning: Section = {
  name: 'pruning',
  title: 'Pruning: speed, recall, cache cost',
  async run(options: BenchOptions): Promise<SectionResult> {
    const speed = await measureSpeed(options);
    const transcripts = readTranscripts(options.dataFolder);
    const reuse = measureReuse(transcripts, options);
    const cache = measureCache(transcripts, options);
    return {
      markdown: [speed, reuse, cache].map(({ markdown }) => markdown).join('\n\n'),
      figures: { speed: speed.figures, reuse: reuse.figures, cache: cache.figures },
      broken: [...reuse.broken, ...cache.broken],
      targets: [speed, reuse, cache].flatMap(({ targets = [] }) => targets),
    };
  },
};

async function measureSpeed({ quick }: BenchOptions): Promise<SectionResult> {
  const pairs = quick
    ? ([[1_000, 4_000]] as const)
    : ([
        [200, 1_000],
        [4_000, 16_000],
      ] as const);
  const measured: PlanSpeeds[] = [];
  for (const pair of pairs) measured.push(await timeInFreshProcesses(pair, quick ? 3 : 9, quick ? 1 : 3));
  const speeds = measured.flatMap(({ lengths }) => lengths);
  const grown = measured.at(-1)!.growth;
  const row = (speed: PlanSpeed): string =>
    `| ${speed.messages.toLocaleString('en-US')} | ${speed.tokens.toLocaleString('en-US')} | ${speed.edits.toLocaleString('en-US')} | ${withRange(speed.fresh, 1)} | ${withRange(speed.cold, 1)} | ${withRange(speed.warm, 1)} |`;
  const [shorter, longer] = speeds.slice(-2) as [PlanSpeed, PlanSpeed];
  return {
    markdown: [
      'Time to plan a pruning at the default policy; tokens are counted beforehand. Processor time: median of the calm rounds (minimum to maximum).',
      'Fresh: the first plan in a new process. Cold: new messages in a process that has planned before, like an agent that has run for a while. The messages are newly parsed, so nothing about them is cached, and moved to the old generation, so the garbage collector does not copy them during the measurement. Warm: the same messages again; what was cached for them is moved to the old generation as well.',
      'Each round plans two lengths. The shorter one is planned in several sessions that together have as many messages as the longer one, and its row shows the time per session. Otherwise a single short session would stay in the processor caches and finish before any garbage collection.',
      `Four times the messages take ${withRange(grown.warm, 1)} times as long warm and ${withRange(grown.cold, 1)} times cold: the median over rounds that planned both lengths (4 is linear, the target is at most ${growth}).`,
      '',
      '| messages | tokens | edits | fresh ms | cold ms | warm ms |',
      '|---:|---:|---:|---:|---:|---:|',
      ...speeds.map(row),
    ].join('\n'),
    figures: { lengths: speeds, growth: grown },
    broken: [],
    targets: [
      atMost(
        'pruner',
        `${shorter.messages.toLocaleString('en-US')} messages planned, warm`,
        10,
        shorter.warm.median,
        inUnit(1, 'ms'),
      ),
      atMost(
        'pruner',
        `${shorter.messages.toLocaleString('en-US')} messages planned, cold`,
        40,
        shorter.cold.median,
        inUnit(1, 'ms'),
      ),
      ...(quick
        ? []
        : [
            atMost('pruner', '16,000 messages planned, warm', 10 * growth, longer.warm.median, inUnit(1, 'ms')),
            atMost('pruner', '16,000 messages planned, cold', 40 * growth, longer.cold.median, inUnit(1, 'ms')),
          ]),
      atMost('pruner', 'four times the messages, warm', growth, grown.warm.median, inUnit(1, 'x')),
      atMost('pruner', 'four times the messages, cold', growth, grown.cold.median, inUnit(1, 'x')),
    ],
  };
}

function measureReuse(transcripts: readonly NamedTranscript[], { quick }: BenchOptions): SectionResult {
  const counter = createTokenCounter();
  const cuts: Reuse[] = transcripts
    .filter((_, index) => !quick || index % 8 === 1)
    .flatMap(({ name, messages }) => compareReuse(name, messages, counter));
  if (cuts.length === 0)
    return { markdown: 'Recall was not measured: no transcript is long enough to prune.', figures: null, broken: [] };
  const [own, plain] = [summarizeReuse(cuts, 'pruner'), summarizeReuse(cuts, 'placeholder')];
  const percent = (value: number): string => `${(100 * value).toFixed(1)} %`;
  const row = (name: string, side: typeof own): string =>
    `| ${name} | ${percent(side.reclaimedTokens / plain.reclaimedTokens)} | ${percent(side.identifiers)} | ${percent(side.facts)} | ${percent(side.verbatim)} |`;
  const broken: string[] = [];
  if (!quick && own.reclaimedTokens < leastReclaimed * plain.reclaimedTokens)
    broken.push('the pruner reclaims over 6 % fewer tokens than plain placeholders');
  if (!quick && (own.facts < plain.facts || own.verbatim < plain.verbatim))
    broken.push('the pruner keeps less than plain placeholders');
  return {
    markdown: [
      `Share of what the agent needed later that is kept after pruning at the default policy: ${cuts.length} cuts of ${new Set(cuts.map(({ name }) => name)).size} transcripts.`,
      '',
      '| | tokens reclaimed, relative to placeholders | identifiers | facts | verbatim |',
      '|---|---:|---:|---:|---:|',
      row('`@palimpsest/pruner`', own),
      row('plain placeholders', plain),
    ].join('\n'),
    figures: { cuts: cuts.length, pruner: own, placeholder: plain },
    broken,
    targets: [
      atLeast(
        'pruner',
        'tokens reclaimed, relative to placeholders',
        leastReclaimed,
        own.reclaimedTokens / plain.reclaimedTokens,
        inPercent,
      ),
      atLeast('pruner', 'facts kept, compared with placeholders', plain.facts, own.facts, inPercent),
      atLeast('pruner', 'verbatim kept, compared with placeholders', plain.verbatim, own.verbatim, inPercent),
    ],
  };
}

function measureCache(transcripts: readonly NamedTranscript[], { quick }: BenchOptions): SectionResult {
  const counter = createTokenCounter();
  const long = transcripts.filter(
    ({ messages }, index) => (!quick || index % 8 === 1) && Transcript.of(messages, counter).totalTokens > 20_000,
  );
  if (long.length === 0)
    return {
      markdown: 'Cache cost was not simulated: no transcript is over 20,000 tokens.',
      figures: null,
      broken: [],
    };
  const rows: string[] = [];
  const figures: Record<string, unknown> = {};
  const targets: Target[] = [];
  const broken: string[] = [];
  for (const [provider, prices] of Object.entries(cachePrices)) {
    const total = new Map<Habit, number>();
    let worst = { ratio: 0, name: '' };
    for (const { name, messages } of long) {
      const costs = new Map(
        habits.map((habit) => [
          habit,
          simulate(messages, habit, { prices, counter, policy: {}, thresholdTokens }).cost,
        ]),
      );
      for (const [habit, cost] of costs) total.set(habit, (total.get(habit) ?? 0) + cost);
      const ratio = costs.get('gated')! / Math.min(costs.get('never')!, costs.get('threshold')!);
      if (ratio > worst.ratio) worst = { ratio, name };
    }
    const share = (habit: Habit): number => total.get(habit)! / total.get('never')!;
    rows.push(
      `| ${provider} | ${habits.map((habit) => share(habit).toFixed(3)).join(' | ')} | ${worst.ratio.toFixed(3)} (${worst.name}) |`,
    );
    figures[provider] = { ...Object.fromEntries(habits.map((habit) => [habit, share(habit)])), worst };
    targets.push(
      atMost(
        'pruner',
        `gated cost, ${provider} prices, relative to the cheaper of never and threshold`,
        mostCost,
        worst.ratio,
        inUnit(3, 'x'),
      ),
    );
    if (worst.ratio > mostCost)
      broken.push(
        `gated pruning costs ${worst.ratio.toFixed(3)} times as much as the cheaper of never and threshold on ${worst.name}`,
      );
  }
  return {
    markdown: [
      `Cost of all prompts with a prompt cache, relative to never pruning, replayed request by request over ${long.length} transcripts. The gate receives the actual number of requests that follow.`,
      '',
      `| prices | ${habits.join(' | ')} | worst transcript: gated relative to the cheaper of never and threshold |`,
      '|---|---:|---:|---:|---:|---:|',
      ...rows,
    ].join('\n'),
    figures,
    broken,
    targets,
  };
}
