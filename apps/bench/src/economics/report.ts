import {
  agentPrices,
  cacheLifetimeMs,
  type Half,
  minCachedPromptTokens,
  pausesMs,
  providers,
  stepMs,
} from '@palimpsest/eval/measures';
import { bullets, count, type Table } from '../section.ts';
import { inPercent } from '../target.ts';
import {
  betterOfBoth,
  type ConversationResult,
  ownNames,
  type PolicyResult,
  policies,
  searchingNames,
} from './simulate.ts';
import { summaryTokens } from './stand-in-writer.ts';

const prices = providers
  .map((provider) => {
    const { model, input, cacheRead, cacheWrite, output } = agentPrices[provider];
    return `${provider} (\`${model}\`): input $${input}, cached $${cacheRead}, cache write $${cacheWrite}, output $${output}`;
  })
  .join('; ');

const method = (window: number): string[] => [
  '**What the figure does not see.** It is the cost alone. The recorded agent makes the same requests under every policy, so it does not see an agent that works worse after a compaction, repeats calls, or needs more turns. A policy that forgets everything is the cheapest: the first row, which is the part of each cost that no policy can save. The facts kept are next to each cost; what else is kept is in the section on evaluation.',
  `Each answer of a recorded agent is one request, and its prompt is what the policy makes of the messages so far. Prices in dollars per million tokens, as published: ${prices}. Where a transcript has the provider's bill, what the first prompt held besides the messages (tools, system prompt) is part of every prompt.`,
  'Assumptions:',
  bullets([
    `The window has ${count(window)} tokens.`,
    `The cache keeps prompts of at least ${count(minCachedPromptTokens)} tokens for ${cacheLifetimeMs / 60_000} minutes after their last use. It reads whole messages.`,
    `A step of the agent takes ${stepMs / 1_000} seconds. Before a person writes, ${pausesMs.map((pause) => pause / 60_000).join(' or ')} minutes pass, in turn.`,
    `The agent's model writes the summaries, of up to ${count(summaryTokens)} tokens, unless a policy names another model.`,
    'No model is called. Our rules write the summaries of every policy, so the facts that a peer keeps are those our rules would keep.',
  ]),
  'Our engines run as they are, behind a session. The peers are not run: their policies are simulated with the figures of their sources.',
];

/** Formats the section. @param totals every policy over the reported half */
export function economicsReport(
  results: readonly ConversationResult[],
  totals: readonly PolicyResult[],
  half: Half,
  window: number,
): (string | Table)[] {
  return [
    ...method(window),
    `The ${half} half, ${results.length} transcripts:`,
    costTable(results, totals),
    `"Of the better": relative to the better of "never", where it fits, and "at the window", chosen for each transcript with hindsight. Facts: the mean of the cuts whose past has over 60,000 tokens.`,
    searchLine(totals),
    'The policies:',
    bullets(policies.map(({ name, rule, source }) => `**${name}**: ${rule}.${source ? ` Source: ${source}.` : ''}`)),
  ];
}

/** Tokens of an answer with one search. */
const searchAnswerTokens = 100;

/** What searches give back, and what they cost on top of the tables. */
function searchLine(totals: readonly PolicyResult[]): string {
  const { cacheRead, cacheWrite, output } = agentPrices.Anthropic;
  const each = totals.flatMap(({ policy, found }) => {
    if (!found) return [];
    const { searches, answerTokens, promptTokens } = found;
    const perSearch = promptTokens * cacheRead + searchAnswerTokens * output;
    const dollars = (searches * perSearch + answerTokens * cacheWrite) / 1e6;
    return [
      `${policy}: ${searches.toFixed(1)} searches, ${count(Math.round(answerTokens))} tokens of answers, about $${dollars.toFixed(2)}`,
    ];
  });
  return `"With searches": the agent searches for each fact that it misses, with the tools of recall, from a cut to the end. On average after a cut: ${each.join('; ')}. These dollars are not part of the tables: each search is one more request, which reads the cached prompt, writes the answer into the cache, and takes ${searchAnswerTokens} tokens of output.`;
}

/** What every policy costs, and which facts it keeps. */
export function costTable(results: readonly ConversationResult[], totals: readonly PolicyResult[]): Table {
  const better = providers.map((provider) => betterOfBoth(results, provider));
  const row = (result: PolicyResult): string[] => {
    const { policy, costs, rewrites, calls, facts, found, oversized } = result;
    const note = oversized > 0 ? ` (${oversized} do not fit)` : '';
    const name = [...ownNames, ...searchingNames].includes(policy) ? `**${policy}**` : policy;
    return [
      `${name}${note}`,
      ...providers.flatMap((provider, at) => {
        const { read, written, output, summaries, total } = costs[provider];
        const parts = [read, written, output, summaries].map((part) => part.toFixed(1)).join(' / ');
        return [total.toFixed(2), parts, inPercent(total / better[at]!)];
      }),
      String(rewrites),
      String(calls),
      inPercent(facts),
      found ? inPercent(found.facts) : '',
    ];
  };
  return {
    head: [
      'policy',
      ...providers.flatMap((provider) => [`${provider} $`, 'read / written / output / summaries', 'of the better']),
      ...['rewrites', 'calls', 'facts kept', 'with searches'],
    ],
    rows: totals.map(row),
  };
}
