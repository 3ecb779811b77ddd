import type { TokenCounter } from '@palimpsest/core';
import { Transcript } from '@palimpsest/core/authoring';
import type { NamedTranscript } from '@palimpsest/eval/measures';
import { type CachePrices, cachePrices } from '@palimpsest/pruner';
import { createTokenCounter } from '@palimpsest/tokens';
import { type Habit, simulate } from '../pruning/cache-simulation.ts';
import { measureReuse } from '../pruning/measure-reuse.ts';
import type { BenchOptions, Measured, Section } from '../section.ts';
import { atLeast, atMost, failing, inPercent, inUnit, type Target } from '../target.ts';
import { readTranscripts } from '../transcripts.ts';

const habits: readonly Habit[] = ['never', 'every turn', 'threshold', 'gated'];
/** The default threshold of 0.75 in a window of 200,000 tokens, the size the recorded sessions had. */
const thresholdTokens = 150_000;

/** Measures the pruner: recall compared with plain placeholders, and prompt-cache cost. Its speed is in the section on speed. */
export const pruning: Section = {
  name: 'pruning',
  title: 'Pruning: recall, cache cost',
  isUntimed: true,
  async measure({ dataFolder, quick }: BenchOptions): Promise<Measured> {
    const counter = createTokenCounter();
    const some = readTranscripts(dataFolder).filter((_, at) => !quick || at % 8 === 1);
    const transcripts = some.filter(({ messages }) => Transcript.of(messages, counter).totalTokens > 20_000);
    if (transcripts.length === 0) return { report: ['No transcript is over 20,000 tokens.'], figures: null };
    const reuse = measureReuse(some, counter);
    const { pruner, placeholder } = reuse;
    const reclaimed = pruner.reclaimedTokens / placeholder.reclaimedTokens;
    const costs = Object.entries(cachePrices).map(([provider, prices]) => ({
      provider,
      ...cacheCost(transcripts, prices, counter),
    }));
    const row = (name: string, { facts, verbatim }: typeof pruner, relative: number): string[] => [
      name,
      ...[relative, facts, verbatim].map(inPercent),
    ];
    return {
      report: [
        `Share of what the agent needed later that is kept after pruning at the default policy: ${reuse.cuts} cuts of transcripts.`,
        {
          head: ['', 'tokens reclaimed, relative to placeholders', 'facts', 'verbatim'],
          rows: [row('`@palimpsest/pruner`', pruner, reclaimed), row('plain placeholders', placeholder, 1)],
        },
        `Cost of all prompts with a prompt cache, relative to never pruning, replayed request by request over ${transcripts.length} transcripts. The gate receives the actual number of requests that follow.`,
        {
          head: ['prices', ...habits, 'worst transcript: gated relative to the cheaper of never and threshold'],
          rows: costs.map(({ provider, shares, worst }) => [
            provider,
            ...habits.map((habit) => shares[habit].toFixed(3)),
            `${worst.ratio.toFixed(3)} (${worst.name})`,
          ]),
        },
      ],
      figures: { reuse, costs },
      targets: [
        failing(atLeast('pruner', 'tokens reclaimed, relative to placeholders', 0.94, reclaimed, inPercent), 'in full'),
        failing(
          atLeast('pruner', 'facts kept, compared with placeholders', placeholder.facts, pruner.facts, inPercent),
          'in full',
        ),
        failing(
          atLeast(
            'pruner',
            'verbatim kept, compared with placeholders',
            placeholder.verbatim,
            pruner.verbatim,
            inPercent,
          ),
          'in full',
        ),
        ...costs.map(({ provider, worst }): Target => {
          const metric = `gated cost, ${provider} prices, relative to the cheaper of never and threshold (${worst.name})`;
          return failing(atMost('pruner', metric, 1.01, worst.ratio, inUnit(3, 'x')));
        }),
      ],
    };
  },
};

/** The cost of each habit, relative to never pruning, and the transcript on which the gate does worst. */
function cacheCost(transcripts: readonly NamedTranscript[], prices: CachePrices, counter: TokenCounter) {
  const total: Record<Habit, number> = { never: 0, 'every turn': 0, threshold: 0, gated: 0 };
  let worst = { ratio: 0, name: '' };
  for (const { name, messages } of transcripts) {
    const cost = (habit: Habit): number =>
      simulate(messages, habit, { prices, counter, policy: {}, thresholdTokens }).cost;
    const costs: Record<Habit, number> = {
      never: cost('never'),
      'every turn': cost('every turn'),
      threshold: cost('threshold'),
      gated: cost('gated'),
    };
    for (const habit of habits) total[habit] += costs[habit];
    const ratio = costs.gated / Math.min(costs.never, costs.threshold);
    if (ratio > worst.ratio) worst = { ratio, name };
  }
  const shares = Object.fromEntries(habits.map((habit) => [habit, total[habit] / total.never])) as Record<
    Habit,
    number
  >;
  return { shares, worst };
}
