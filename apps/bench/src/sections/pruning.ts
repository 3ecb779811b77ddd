import { Transcript } from '@palimpsest/core/authoring';
import { cachePrices } from '@palimpsest/pruner';
import { createTokenCounter } from '@palimpsest/tokens';
import { type Habit, simulate } from '../pruning/cache-simulation.ts';
import { compareReuse, type Reuse, summarizeReuse } from '../pruning/compare-reuse.ts';
import { type PlanSpeed, timeInFreshProcesses } from '../pruning/plan-speed.ts';
import type { BenchOptions, Section, SectionResult } from '../section.ts';
import { withRange } from '../spread.ts';
import { atLeast, atMost, inPercent, inUnit, type Target } from '../target.ts';
import { type NamedTranscript, readTranscripts } from '../transcripts.ts';

/** Four times the messages may cost this much more: linear, with room for noise. */
const growth = 4.5;
/** Reclaimed, against plain placeholders at the same policy. */
const leastReclaimed = 0.94;
/** Cost of the gated habit, against the better of never and threshold. */
const mostCost = 1.01;

const habits: readonly Habit[] = ['never', 'every turn', 'threshold', 'gated'];

/** A window of 200,000 tokens, which is what these sessions had, at the contract's default threshold of 0.75. */
const thresholdTokens = 150_000;

export const pruning: Section = {
  name: 'pruning',
  title: 'Pruning: speed, reuse, cache',
  async run(options: BenchOptions): Promise<SectionResult> {
    const speed = measureSpeed(options);
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

function measureSpeed({ quick }: BenchOptions): SectionResult {
  const pairs = quick
    ? ([[1_000, 4_000]] as const)
    : ([
        [200, 1_000],
        [4_000, 16_000],
      ] as const);
  const measured = pairs.map((pair) => timeInFreshProcesses(pair, quick ? 3 : 9, quick ? 1 : 3));
  const speeds = measured.flatMap(({ lengths }) => lengths);
  const grown = measured.at(-1)!.growth;
  const row = (speed: PlanSpeed): string =>
    `| ${speed.messages.toLocaleString('en-US')} | ${speed.tokens.toLocaleString('en-US')} | ${speed.edits.toLocaleString('en-US')} | ${withRange(speed.fresh, 1)} | ${withRange(speed.cold, 1)} | ${withRange(speed.warm, 1)} |`;
  const [shorter, longer] = speeds.slice(-2) as [PlanSpeed, PlanSpeed];
  return {
    markdown: [
      `Planning at the default policy, tokens counted before; processor time, medians of the calm rounds, with the least and the most. Fresh: the first plan of a process. Cold: messages that nothing ever looked at (parsed anew, and aged as the messages of a session are, so that the collector does not move them on the plan's time), in a process that planned others before, as an agent's is that has run for a while; the target is about this. Warm: the same messages again, what was made of them aged likewise. Two lengths are planned in turns, the shorter in as many sessions, one after the other, as have the messages of the longer together, and a row is one session's share: so the shorter is not found in the processor's caches either, and pays its share of the collector's work. Four times the messages cost ${withRange(grown.warm, 1)} times as much warm and ${withRange(grown.cold, 1)} cold, by the median of rounds in which both were planned (linear would be 4; over ${growth} is too much).`,
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
  if (cuts.length === 0) return { markdown: 'Reuse was not measured: no transcripts.', figures: null, broken: [] };
  const [own, plain] = [summarizeReuse(cuts, 'pruner'), summarizeReuse(cuts, 'placeholder')];
  const percent = (value: number): string => `${(100 * value).toFixed(1)} %`;
  const row = (name: string, side: typeof own): string =>
    `| ${name} | ${percent(side.reclaimedTokens / plain.reclaimedTokens)} | ${percent(side.identifiers)} | ${percent(side.facts)} | ${percent(side.verbatim)} |`;
  const broken: string[] = [];
  if (!quick && own.reclaimedTokens < leastReclaimed * plain.reclaimedTokens)
    broken.push('the pruner reclaims over 6 % less than plain placeholders');
  if (!quick && (own.facts < plain.facts || own.verbatim < plain.verbatim))
    broken.push('the pruner keeps less than plain placeholders');
  return {
    markdown: [
      `What agents used later of what was pruned, at the default policy: ${cuts.length} cuts of ${new Set(cuts.map(({ name }) => name)).size} transcripts.`,
      '',
      '| | reclaimed, against placeholders | identifiers | facts | verbatim |',
      '|---|---:|---:|---:|---:|',
      row('`@palimpsest/pruner`', own),
      row('plain placeholders', plain),
    ].join('\n'),
    figures: { cuts: cuts.length, pruner: own, placeholder: plain },
    broken,
    targets: [
      atLeast(
        'pruner',
        'reclaimed, against placeholders',
        leastReclaimed,
        own.reclaimedTokens / plain.reclaimedTokens,
        inPercent,
      ),
      atLeast('pruner', 'facts kept, against placeholders', plain.facts, own.facts, inPercent),
      atLeast('pruner', 'verbatim kept, against placeholders', plain.verbatim, own.verbatim, inPercent),
    ],
  };
}

function measureCache(transcripts: readonly NamedTranscript[], { quick }: BenchOptions): SectionResult {
  const counter = createTokenCounter();
  const long = transcripts.filter(
    ({ messages }, index) => (!quick || index % 8 === 1) && Transcript.of(messages, counter).totalTokens > 20_000,
  );
  if (long.length === 0)
    return { markdown: 'Cache cost was not simulated: no transcripts.', figures: null, broken: [] };
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
        `gated cost, ${provider} prices, against the better habit`,
        mostCost,
        worst.ratio,
        inUnit(3, 'x'),
      ),
    );
    if (worst.ratio > mostCost)
      broken.push(
        `gated pruning costs ${worst.ratio.toFixed(3)} of the better of never and threshold on ${worst.name}`,
      );
  }
  return {
    markdown: [
      `Cost of all prompts with a prompt cache, turn by turn over ${long.length} transcripts, against never pruning. The gate is told how many requests follow.`,
      '',
      `| prices | ${habits.join(' | ')} | gated, worst transcript against the better of never and threshold |`,
      '|---|---:|---:|---:|---:|---:|',
      ...rows,
    ].join('\n'),
    figures,
    broken,
    targets,
  };
}
