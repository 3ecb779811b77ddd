import { createTokenCounter } from '@palimpsest/tokens';
import { measureReuse, type Reuse } from '../pruning/measure-reuse.ts';
import type { BenchOptions, Measured, Section } from '../section.ts';
import { atLeast, failing, inPercent, type Target } from '../target.ts';
import { readTranscripts } from '../transcripts.ts';

/** Compares the pruner with plain placeholders. Its speed is in the section on speed, what it costs in that on economics. */
export const pruning: Section = {
  name: 'pruning',
  title: 'Pruning: what is kept',
  isUntimed: true,
  async measure({ dataFolder, quick }: BenchOptions): Promise<Measured> {
    const some = readTranscripts(dataFolder).filter((_, at) => !quick || at % 8 === 1);
    const reuse = measureReuse(some, createTokenCounter());
    if (reuse.cuts === 0) return { report: ['No transcript is long enough to prune.'], figures: null };
    const { pruner, placeholder } = reuse;
    const relative = ({ reclaimedTokens }: Reuse): number => reclaimedTokens / placeholder.reclaimedTokens;
    const least = (what: string, limit: number, value: number): Target =>
      failing(atLeast('pruner', `${what} placeholders`, limit, value, inPercent), 'in full');
    return {
      report: [
        `Share of what the agent needed later that is kept after pruning at the default policy: ${reuse.cuts} cuts of transcripts.`,
        {
          head: ['', 'tokens reclaimed, relative to placeholders', 'facts', 'verbatim'],
          rows: Object.entries({ '`@palimpsest/pruner`': pruner, 'plain placeholders': placeholder }).map(
            ([name, one]) => [name, ...[relative(one), one.facts, one.verbatim].map(inPercent)],
          ),
        },
      ],
      figures: reuse,
      targets: [
        least('tokens reclaimed, relative to', 0.94, relative(pruner)),
        least('facts kept, compared with', placeholder.facts, pruner.facts),
        least('verbatim kept, compared with', placeholder.verbatim, pruner.verbatim),
      ],
    };
  },
};
