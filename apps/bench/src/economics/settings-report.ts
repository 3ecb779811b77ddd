import { agentPrices } from '@palimpsest/eval/measures';
import { count, type Table } from '../section.ts';
import { inPercent } from '../target.ts';
import { atTheWindow, never } from './own-policies.ts';
import {
  floorName,
  ownNames,
  type PolicyResult,
  peerNames,
  savingOver,
  searchingNames,
  thresholdFloorName,
} from './simulate.ts';

/** The saving that the plan for this step asks for, relative to each peer's default policy. */
export const leastSaving = 0.25;
/** Tokens of an answer with one search. */
const searchAnswerTokens = 100;

/** Settings of our engines beside what every policy pays, for RESULTS.md: cost and what is kept, side by side. */
export function settingTable(totals: readonly PolicyResult[]): Table {
  const peers = totals.filter(({ policy }) => peerNames.includes(policy));
  const rows = [floorName, thresholdFloorName, never.name, atTheWindow.name, ...ownNames, ...searchingNames].map(
    (name) => {
      const one = named(totals, name);
      const beaten = peers.filter((peer) => savingOver(one, peer) >= leastSaving).length;
      return [
        name,
        one.costs.Anthropic.total.toFixed(2),
        percentage(one.facts),
        one.found ? percentage(one.found.facts) : '',
        one.found ? one.found.searches.toFixed(1) : '',
        `${beaten} of ${peers.length} peers`,
      ];
    },
  );
  return {
    head: ['policy', 'dollars', 'facts kept', 'with searches', 'searches', `${inPercent(leastSaving)} cheaper than`],
    rows,
  };
}

/**
 * The default engine and the lower thresholds against every peer, the largest saving that there can be, and the setting
 * that reaches the target.
 */
export function savingTable(totals: readonly PolicyResult[]): Table {
  const columns = [ownNames[0]!, ...searchingNames, thresholdFloorName, floorName];
  const row = (peer: string): string[] =>
    columns.map((column) => inPercent(savingOver(named(totals, column), named(totals, peer))));
  return {
    head: ['peer', ...columns, `first setting that is ${inPercent(leastSaving)} cheaper`],
    rows: peerNames.map((peer) => [peer, ...row(peer), firstSetting(totals, peer)]),
  };
}

/** The highest simulated threshold that is cheap enough, and how many points of the facts it gives up. */
function firstSetting(totals: readonly PolicyResult[], peer: string): string {
  const [ours, ...lower] = [ownNames[0]!, ...searchingNames].map((name) => named(totals, name));
  const isCheap = (one: PolicyResult): boolean => savingOver(one, named(totals, peer)) >= leastSaving;
  if (isCheap(ours!)) return 'the default';
  const found = lower.find(isCheap);
  if (!found) return 'none of these';
  const points = (found.facts - named(totals, searchingNames[0]!).facts) * 100;
  return `${found.policy.replace(/, no model, recall$/, '')}: ${points.toFixed(1)} points of the facts`;
}

/** The most that a policy with the default threshold can save, relative to a peer. */
export function mostSaving(totals: readonly PolicyResult[], peer: PolicyResult): string {
  return `at most ${inPercent(savingOver(named(totals, thresholdFloorName), peer))} at the default threshold, if it forgets everything there`;
}

/** What searches give back, and what they cost on top of the tables. */
export function searchLine(totals: readonly PolicyResult[]): string {
  const { cached, written, output } = agentPrices.Anthropic;
  const each = searchingNames.map((name) => {
    const { found } = named(totals, name);
    if (!found) return `${name}: no cuts`;
    const { searches, answerTokens, promptTokens } = found;
    const perSearch = promptTokens * cached + searchAnswerTokens * output;
    const dollars = (searches * perSearch + answerTokens * written) / 1e6;
    return `${name}: ${searches.toFixed(1)} searches, ${count(Math.round(answerTokens))} tokens of answers, about $${dollars.toFixed(2)}`;
  });
  return `"With searches": the agent searches for each fact that it misses, with the tools of recall, from a cut to the end. On average after a cut: ${each.join('; ')}. These dollars are not part of the tables: each search is one more request, which reads the cached prompt, writes the answer into the cache, and takes ${searchAnswerTokens} tokens of output.`;
}

function named(totals: readonly PolicyResult[], name: string): PolicyResult {
  return totals.find(({ policy }) => policy === name)!;
}

const percentage = (share: number): string => (share * 100).toFixed(0);
