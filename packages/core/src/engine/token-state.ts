import type { Usage } from '../host/summarizer.ts';
import type { TokenState } from './engine.ts';
import type { Budget, ModelInfo } from './model.ts';
import { maxThreshold, nextThreshold } from './next-threshold.ts';

/** The token state before the first response and without a model. */
export const noTokens: TokenState = {
  lastPromptTokens: 0,
  lastCompletionTokens: 0,
  lastTotalTokens: 0,
  thresholdTokens: 0,
  maxThresholdTokens: 0,
  contextLength: 0,
  compactionCount: 0,
  compactedTokens: null,
};

/** Combines stored token counts, such as a snapshot's, with the window and the threshold of the current model. */
export function atWindowOf({ contextLength }: TokenState, counted: TokenState, budget: Budget | null): TokenState {
  return withThreshold({ ...noTokens, ...counted, contextLength }, budget);
}

/** The token state after a response. */
export function afterUsage(tokens: TokenState, { promptTokens, completionTokens }: Usage): TokenState {
  return {
    ...tokens,
    lastPromptTokens: promptTokens,
    lastCompletionTokens: completionTokens,
    lastTotalTokens: promptTokens + completionTokens,
  };
}

/** The token state after a compaction. Prompt sizes are estimates in tokens. */
export function afterCompaction(
  tokens: TokenState,
  { promptTokens, compactedTokens }: { readonly promptTokens: number; readonly compactedTokens: number },
  budget: Budget | null,
): TokenState {
  const compactionCount = tokens.compactionCount + 1;
  return withThreshold({ ...tokens, lastPromptTokens: promptTokens, compactedTokens, compactionCount }, budget);
}

/** The token state after a switch to another model. If the window is unknown, the threshold is 0. */
export function afterSwitch(tokens: TokenState, { contextLength }: ModelInfo, budget: Budget): TokenState {
  return withThreshold({ ...tokens, contextLength }, budget);
}

function withThreshold(tokens: TokenState, budget: Budget | null): TokenState {
  if (budget === null) return tokens;
  const maxThresholdTokens = tokens.contextLength > 0 ? maxThreshold(budget) : 0;
  return { ...tokens, thresholdTokens: nextThreshold(tokens, budget), maxThresholdTokens };
}
