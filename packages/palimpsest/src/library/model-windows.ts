import { type ModelInfo, PalimpsestError } from '@palimpsest/core';
import { loadModelRegistry } from '@palimpsest/tokens/models';

/** Looks up models by the id that a request names. */
export type ModelWindows = (id: string) => ModelInfo | undefined;

/**
 * Loads the context windows of known models.
 * @param maxTokens the largest window to report, in tokens; also reported for unknown models
 */
export async function loadModelWindows(maxTokens?: number): Promise<ModelWindows> {
  const registry = await loadModelRegistry();
  return (id) => {
    const { contextWindow: known, maxInput: maxInputTokens } = registry.limits(id) ?? {};
    if (known === undefined && maxTokens === undefined) return undefined;
    const contextLength = Math.min(known ?? Number.POSITIVE_INFINITY, maxTokens ?? Number.POSITIVE_INFINITY);
    return maxInputTokens !== undefined && maxInputTokens < contextLength
      ? { id, contextLength, maxInputTokens }
      : { id, contextLength };
  };
}

/** @throws {PalimpsestError} `OPTION_INVALID` for a model that is not known */
export function findModel(windows: ModelWindows, id: string): ModelInfo {
  const model = windows(id);
  if (model) return model;
  throw new PalimpsestError(
    'OPTION_INVALID',
    `The context window of the model "${id.slice(0, 100)}" is not known. Pass it: model: { id: '${id.slice(0, 100)}', contextLength: 128_000 }.`,
    { option: 'model' },
  );
}
