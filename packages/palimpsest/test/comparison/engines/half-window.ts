import type { Budget, ModelInfo } from '@palimpsest/core';

/** The budget of an engine that compacts at half of the window. */
export const halfWindow = ({ contextLength }: ModelInfo): Budget => ({
  contextLength,
  usableTokens: contextLength,
  thresholdTokens: contextLength / 2,
  tailTokens: 0,
  summaryTokens: 0,
});
