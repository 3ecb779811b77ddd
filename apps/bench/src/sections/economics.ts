import { providers } from '@palimpsest/eval/measures';
import { createTokenCounter } from '@palimpsest/tokens';
import { readConversations } from '../economics/read-conversations.ts';
import { costTable, economicsReport } from '../economics/report.ts';
import {
  betterOfBoth,
  ownNames,
  type PolicyResult,
  peerNames,
  policies,
  resultOf,
  savingOver,
  simulateAll,
  thresholdFloorName,
} from '../economics/simulate.ts';
import type { BenchOptions, Measured, Section } from '../section.ts';
import { atLeast, atMost, failing, inPercent, type Target } from '../target.ts';

const window = 200_000;
/** Highest cost, relative to the better of "never" and "at the window". */
const maxCost = 1.01;
/** Saving relative to each peer's default policy. */
const minSavingShare = 0.25;

/** Simulates what policies cost at the published prices of two providers. */
export const economics: Section = {
  name: 'economics',
  title: 'Economics: what each policy costs',
  isUntimed: true,
  async measure({ dataFolder, quick, half }: BenchOptions): Promise<Measured> {
    const counter = createTokenCounter();
    const all = readConversations(dataFolder, counter);
    const some = quick ? all.slice(0, 4) : all;
    const held = await simulateAll(
      some.filter((one) => one.half === half),
      window,
      counter,
    );
    const totals = policies.map(({ name }) => resultOf(held, name, window));
    const ours = totals.filter(({ policy }) => ownNames.includes(policy));
    return {
      report: economicsReport(held, totals, half, window),
      summary: [
        `The ${half} half of the shared transcripts, replayed in a window of 200,000 tokens, for all ${held.length} together. The first row is the part of each cost that no policy can save, the second one the part that none with our default threshold can save. Facts: in the prompt, and with the answers of recall to an agent that searches.`,
        costTable(held, totals),
      ],
      figures: { window, half, totals },
      targets: [
        failing(atMost('economics', 'our prompts larger than the window', 0, sum(ours))),
        ...ours.flatMap(betterTargets),
        ...peerTargets(totals),
      ],
    };

    function betterTargets({ policy, costs }: PolicyResult): Target[] {
      return providers.map((provider) => {
        const relative = costs[provider].total / betterOfBoth(held, provider);
        const metric = `${policy}, ${provider} prices: of the better of never and at the window`;
        return atMost('economics', metric, maxCost, relative, inPercent);
      });
    }
  },
};

const sum = (ours: readonly PolicyResult[]): number => ours.reduce((total, { oversized }) => total + oversized, 0);

/** The default engine against every peer, at the prices that favour the peer more. */
function peerTargets(totals: readonly PolicyResult[]): Target[] {
  const findPolicy = (name: string): PolicyResult => totals.find(({ policy }) => policy === name)!;
  const ours = findPolicy(ownNames[0]!);
  return peerNames.map(findPolicy).map((peer) => {
    const most = inPercent(savingOver(findPolicy(thresholdFloorName), peer));
    return {
      ...atLeast(
        'economics',
        `${ours.policy}: cheaper than ${peer.policy}`,
        minSavingShare,
        savingOver(ours, peer),
        inPercent,
      ),
      possible: `at most ${most} at the default threshold, if it forgets everything there`,
    };
  });
}
