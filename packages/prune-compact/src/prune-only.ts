import type { EngineHost, Message, ModelInfo } from '@palimpsest/core';
import { validateOptions } from '@palimpsest/core/authoring';
import { type Gate, type PruneResult, prune } from '@palimpsest/pruner';
import { type PruneCompactOptionsInput, pruneCompactOptions } from './options.ts';
import { prunePolicy } from './prune-policy.ts';

/** Options of {@link pruneOnly}. */
export interface PruneOnlyOptions {
  readonly model: ModelInfo;
  /** The engine's options. @default the engine's defaults */
  readonly options?: PruneCompactOptionsInput | undefined;
  /**
   * Decides whether a prune is worth invalidating the prompt cache, such as `cacheAware` of `@palimpsest/pruner`.
   * @default every prune that reaches the minimum is
   */
  readonly gate?: Gate | undefined;
}

/**
 * Runs only the first phase of the engine, for use between turns and long before the threshold. Calls no model and
 * keeps no state.
 * @throws {PalimpsestError} `MESSAGES_INVALID`, `OPTION_INVALID`
 */
export function pruneOnly<M extends Message>(
  messages: readonly M[],
  host: Pick<EngineHost, 'tokens' | 'reader' | 'redact' | 'isFromPerson'>,
  { model, options, gate }: PruneOnlyOptions,
): PruneResult<M> {
  const checked = validateOptions(pruneCompactOptions, options, 'pruneOnly');
  const policy = prunePolicy(messages, checked, host, model);
  return prune(messages, { ...policy, tokens: host.tokens, gate });
}
