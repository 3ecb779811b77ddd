import { createTokenCounter } from '@palimpsest/tokens';
import { readConversations } from '../economics/conversations.ts';
import { providers } from '../economics/prices.ts';
import { economicsReport } from '../economics/report.ts';
import {
  betterOfBoth,
  ownNames,
  type PolicyResult,
  peerNames,
  policies,
  resultOf,
  simulateAll,
} from '../economics/simulate.ts';
import type { BenchOptions, Section, SectionResult } from '../section.ts';
import { atLeast, atMost, inPercent, type Target } from '../target.ts';

const window = 200_000;
/** Highest cost, relative to the better of "never" and "at the window". */
const mostCost = 1.01;
/** Least saving, relative to each peer's default policy. */
const leastSaving = 0.25;

/** Simulates what policies cost at the published prices of two providers. */
export const economics: Section = {
  name: 'economics',
  title: 'Economics: what each policy costs',
  isUntimed: true,
  async run({ dataFolder, quick, half }: BenchOptions): Promise<SectionResult> {
    const counter = createTokenCounter();
    const all = readConversations(dataFolder, counter);
    const results = await simulateAll(quick ? all.slice(0, 4) : all, window, counter);
    const held = results.filter((result) => result.half === half);
    const totals = policies.map(({ name }) => resultOf(held, name, window));
    const broken = totals
      .filter(({ policy, oversized }) => ownNames.includes(policy) && oversized > 0)
      .map(({ policy }) => `${policy} sent a prompt that is larger than the window`);
    return {
      markdown: economicsReport(results, half, window),
      figures: { window, half, heldOut: totals, all: policies.map(({ name }) => resultOf(results, name, window)) },
      broken,
      targets: totals.filter(({ policy }) => ownNames.includes(policy)).flatMap((ours) => targetsOf(ours, totals)),
    };

    function targetsOf(ours: PolicyResult, others: readonly PolicyResult[]): Target[] {
      return providers.flatMap((provider) => {
        const cost = ours.costs[provider].total;
        const relative = cost / betterOfBoth(held, provider);
        const metric = `${ours.policy}, ${provider} prices`;
        return [
          atMost('economics', `${metric}: of the better of never and at the window`, mostCost, relative, inPercent),
          ...others
            .filter(({ policy }) => peerNames.includes(policy))
            .map((peer) => {
              const saving = 1 - cost / peer.costs[provider].total;
              return atLeast('economics', `${metric}: cheaper than ${peer.policy}`, leastSaving, saving, inPercent);
            }),
        ];
      });
    }
  },
};
