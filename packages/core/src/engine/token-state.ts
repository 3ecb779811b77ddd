import type { TokenState } from './engine.ts';
import type { Budget, ModelInfo, Usage } from './model.ts';

/** Before any response, and before any model is known. */
export const noTokens: TokenState = {
  lastPromptTokens: 0,
  lastCompletionTokens: 0,
  lastTotalTokens: 0,
  thresholdTokens: 0,
  contextLength: 0,
  compressionCount: 0,
};

/** What another session counted, against the window of the model there is now. */
export function atWindowOf({ thresholdTokens, contextLength }: TokenState, counted: TokenState): TokenState {
  return { ...counted, thresholdTokens, contextLength };
}

/** After a response. */
export function afterUsage(tokens: TokenState, { promptTokens, completionTokens }: Usage): TokenState {
  return {
    ...tokens,
    lastPromptTokens: promptTokens,
    lastCompletionTokens: completionTokens,
    lastTotalTokens: promptTokens + completionTokens,
  };
}

/** After a switch to another model. Without a window there is nothing to come near to. */
export function afterSwitch(tokens: TokenState, { contextLength }: ModelInfo, budget: Budget): TokenState {
  return { ...tokens, contextLength, thresholdTokens: contextLength > 0 ? budget.thresholdTokens : 0 };
}
