import { agentPrices } from '@palimpsest/eval/measures';
import { markdownTable } from '../markdown-table.ts';
import { inPercent } from '../target.ts';
import { atTheWindow, never } from './own-policies.ts';
import { floorName, ownNames, type PolicyResult, peerNames, savingOver, searchingNames } from './simulate.ts';

/** The saving that the plan for this step asks for, relative to each peer's default policy. */
export const leastSaving = 0.25;
/** Tokens of an answer with one search. */
const searchAnswerTokens = 100;

/** Settings of our engines beside what every policy pays, for RESULTS.md: cost and what is kept, side by side. */
export function settingTable(totals: readonly PolicyResult[]): string {
  const peers = totals.filter(({ policy }) => peerNames.includes(policy));
  const rows = [floorName, never.name, atTheWindow.name, ...ownNames, ...searchingNames].map((name) => {
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
  });
  return markdownTable(
    ['policy', 'dollars', 'facts kept', 'with searches', 'searches', `${inPercent(leastSaving)} cheaper than`],
    rows,
  );
}

/** The default engine and the lower thresholds against every peer, and the largest saving that there can be. */
export function savingTable(totals: readonly PolicyResult[]): string {
  const columns = [ownNames[0]!, ...searchingNames, floorName];
  const row = (peer: string): string[] =>
    columns.map((column) => inPercent(savingOver(named(totals, column), named(totals, peer))));
  return markdownTable(
    ['peer', ...columns],
    peerNames.map((peer) => [peer, ...row(peer)]),
  );
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
    return `${name}: ${searches.toFixed(1)} searches, ${Math.round(answerTokens).toLocaleString('en-US')} tokens of answers, about $${dollars.toFixed(2)}`;
  });
  return `"With searches": the agent searches for each fact that it misses, with the tools of recall, from a cut to the end. On average after a cut: ${each.join('; ')}. These dollars are not part of the tables: each search is one more request, which reads the cached prompt, writes the answer into the cache, and takes ${searchAnswerTokens} tokens of output.`;
}

function named(totals: readonly PolicyResult[], name: string): PolicyResult {
  return totals.find(({ policy }) => policy === name)!;
}

const percentage = (share: number): string => (share * 100).toFixed(0);
