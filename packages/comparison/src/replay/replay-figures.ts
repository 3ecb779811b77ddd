import { type InputPrices, inputCost } from './input-cost.ts';
import type { ReplaySizes } from './replay.ts';

/** The figures of a replayed session, as `--json` prints them. */
export interface ReplayFigures {
  readonly requests: number;
  readonly compactions: number;
  /** Prompt tokens of all requests. */
  readonly sentTokens: number;
  readonly largestPrompt: number;
  /** Number of requests whose prompt exceeds the window. */
  readonly overWindow: number;
  /** Cost of all prompts with a cache. */
  readonly dollars: number;
}

export function replayFigures(replay: ReplaySizes, windowTokens: number, prices: InputPrices): ReplayFigures {
  const { sent, compactions } = replay;
  return {
    requests: sent.length,
    compactions: compactions.length,
    sentTokens: sent.reduce((sum, tokens) => sum + tokens, 0),
    largestPrompt: sent.reduce((largest, tokens) => Math.max(largest, tokens), 0),
    overWindow: sent.filter((tokens) => tokens > windowTokens).length,
    dollars: Math.round((inputCost(replay, prices).cached.at(-1) ?? 0) * 1e6) / 1e6,
  };
}
