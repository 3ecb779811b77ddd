import type { TokenState } from './engine.ts';
import type { Budget, ModelInfo, Usage } from './model.ts';

/** The token state before the first response and without a model. */
export const noTokens: TokenState = {
  lastPromptTokens: 0,
  lastCompletionTokens: 0,
  lastTotalTokens: 0,
  thresholdTokens: 0,
  contextLength: 0,
  compressionCount: 0,
};

/** Applies the counts of another session to the window of the current model. */
export function atWindowOf({ thresholdTokens, contextLength }: TokenState, counted: TokenState): TokenState {
  return { ...counted, thresholdTokens, contextLength };
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

/** The token state after a switch to another model. Without a window, the threshold is 0. */
export function afterSwitch(tokens: TokenState, { contextLength }: ModelInfo, budget: Budget): TokenState {
  return { ...tokens, contextLength, thresholdTokens: contextLength > 0 ? budget.thresholdTokens : 0 };
}
