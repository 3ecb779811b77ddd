import type { ModelPrices } from '@palimpsest/tokens/models';
import { usageDollars } from '@palimpsest/tokens/usage';
import { agentPrices, type Provider, smallModelPrices } from './prices.ts';
import type { Bill, Replay } from './replay.ts';

/** Dollars, by what they were paid for. */
export interface Cost {
  readonly read: number;
  readonly written: number;
  readonly output: number;
  /** Input and output of summaries. */
  readonly summaries: number;
}

export const totalOf = ({ read, written, output, summaries }: Cost): number => read + written + output + summaries;

/** What a replay costs at a provider's prices. */
export function costOf({ bills }: Pick<Replay, 'bills'>, provider: Provider): Cost {
  const prices = agentPrices[provider];
  const sum = (tokensOf: (bill: Bill) => number): number => bills.reduce((total, bill) => total + tokensOf(bill), 0);
  return {
    read: (sum(({ cachedTokens }) => cachedTokens) * prices.cacheRead) / 1e6,
    written: (sum(({ writtenTokens }) => writtenTokens) * prices.cacheWrite) / 1e6,
    output: (sum(({ outputTokens }) => outputTokens) * prices.output) / 1e6,
    summaries: sum(({ calls }) => calls.reduce((total, call) => total + callCost(call, prices), 0)),
  };
}

function callCost(
  { inputTokens, cachedTokens, outputTokens, bySmallModel }: Bill['calls'][number],
  agent: ModelPrices,
) {
  const usage = { promptTokens: inputTokens, completionTokens: outputTokens };
  return bySmallModel ? usageDollars(usage, smallModelPrices) : usageDollars({ ...usage, cachedTokens }, agent);
}
