import { providers } from '@palimpsest/eval/measures';
import { createTokenCounter } from '@palimpsest/tokens';
import { longTurnReport, longTurnTargets, runLongTurns } from '../economics/long-turn-report.ts';
import { readConversations } from '../economics/read-conversations.ts';
import { economicsReport } from '../economics/report.ts';
import { leastSaving, mostSaving, settingTable } from '../economics/settings-report.ts';
import {
  betterOfBoth,
  ownNames,
  type PolicyResult,
  peerNames,
  policies,
  resultOf,
  savingOver,
  simulateAll,
} from '../economics/simulate.ts';
import type { BenchOptions, Section, SectionResult } from '../section.ts';
import { atLeast, atMost, inPercent, type Target } from '../target.ts';

const window = 200_000;
/** Highest cost, relative to the better of "never" and "at the window". */
const mostCost = 1.01;

/** Simulates what policies cost at the published prices of two providers. */
export const economics: Section = {
  name: 'economics',
  title: 'Economics: what each policy costs',
  isUntimed: true,
  async run({ dataFolder, quick, half }: BenchOptions): Promise<SectionResult> {
    const counter = createTokenCounter();
    const all = readConversations(dataFolder, counter);
    const results = await simulateAll(quick ? all.slice(0, 4) : all, window, counter);
    const longRuns = await runLongTurns(quick);
    const held = results.filter((result) => result.half === half);
    const totals = policies.map(({ name }) => resultOf(held, name, window));
    const broken = totals
      .filter(({ policy, oversized }) => ownNames.includes(policy) && oversized > 0)
      .map(({ policy }) => `${policy} sent a prompt that is larger than the window`);
    return {
      markdown: [economicsReport(results, half, window), '', ...longTurnReport(longRuns)].join('\n'),
      summary: [
        `The ${half} half of the shared transcripts, replayed in a window of 200,000 tokens at the prices of Claude Sonnet 4, for all ${held.length} together. The first row is the part of each cost that no policy can save, the second one the part that none with our default threshold can save. Facts: percentages, in the prompt, and with the answers of recall to an agent that searches.`,
        '',
        settingTable(totals),
      ].join('\n'),
      figures: {
        window,
        half,
        heldOut: totals,
        all: policies.map(({ name }) => resultOf(results, name, window)),
        longRuns,
      },
      broken,
      targets: [
        ...totals.filter(({ policy }) => ownNames.includes(policy)).flatMap(betterTargets),
        ...peerTargets(totals),
        ...longTurnTargets(longRuns),
      ],
    };

    function betterTargets({ policy, costs }: PolicyResult): Target[] {
      return providers.map((provider) => {
        const relative = costs[provider].total / betterOfBoth(held, provider);
        const metric = `${policy}, ${provider} prices: of the better of never and at the window`;
        return atMost('economics', metric, mostCost, relative, inPercent);
      });
    }

    /** The default engine against every peer, at the prices that favour the peer more. */
    function peerTargets(totals: readonly PolicyResult[]): Target[] {
      const ours = totals.find(({ policy }) => policy === ownNames[0])!;
      return totals
        .filter(({ policy }) => peerNames.includes(policy))
        .map((peer) => {
          const metric = `${ours.policy}: cheaper than ${peer.policy}`;
          const target = atLeast('economics', metric, leastSaving, savingOver(ours, peer), inPercent);
          return { ...target, possible: mostSaving(totals, peer) };
        });
    }
  },
};
