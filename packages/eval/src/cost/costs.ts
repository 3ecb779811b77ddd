import { agentPrices, type ModelPrices, type Provider, smallModelPrices } from './prices.ts';
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
    read: (sum(({ cachedTokens }) => cachedTokens) * prices.cached) / 1e6,
    written: (sum(({ writtenTokens }) => writtenTokens) * prices.written) / 1e6,
    output: (sum(({ outputTokens }) => outputTokens) * prices.output) / 1e6,
    summaries: sum(({ calls }) => calls.reduce((total, call) => total + callCost(call, prices), 0)) / 1e6,
  };
}

function callCost(call: Bill['calls'][number], agent: ModelPrices): number {
  const { input, cached, output } = call.bySmallModel ? smallModelPrices : agent;
  const cachedTokens = call.bySmallModel ? 0 : call.cachedTokens;
  return cachedTokens * cached + (call.inputTokens - cachedTokens) * input + call.outputTokens * output;
}
