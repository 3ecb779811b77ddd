import { type EngineHost, type Message, type ModelInfo, PalimpsestError } from '@palimpsest/core';
import { type Gate, type PruneResult, prune } from '@palimpsest/pruner';
import { type PruneCompactOptionsInput, pruneCompactOptions } from './options.ts';
import { prunePolicy } from './prune-policy.ts';

/** How to prune ahead of need. */
export interface PruneOnlyOptions {
  readonly model: ModelInfo;
  /** The options of the engine. @default the engine's defaults */
  readonly options?: PruneCompactOptionsInput | undefined;
  /** Has the last word, such as `cacheAware` of `@palimpsest/pruner`: rewriting old messages costs the prompt cache. @default every prune above the minimum is worth it */
  readonly gate?: Gate | undefined;
}

/**
 * The engine's first phase by itself, for use between turns and long before the threshold: no model call, no state.
 * @throws {PalimpsestError} `MESSAGES_INVALID`, `OPTION_INVALID`
 */
export function pruneOnly<M extends Message>(
  messages: readonly M[],
  host: Pick<EngineHost, 'tokens' | 'redact' | 'isRequest'>,
  { model, options, gate }: PruneOnlyOptions,
): PruneResult<M> {
  const checked = pruneCompactOptions.safeParse(options);
  if (!checked.success)
    throw new PalimpsestError(
      'OPTION_INVALID',
      `The options of prune-compact are not valid: ${checked.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`).join('; ')}.`,
      { issues: checked.error.issues.map(({ path, message }) => ({ path: path.map(String), message })) },
    );
  const policy = prunePolicy(messages, checked.data, model.contextLength, host);
  return prune(messages, { ...policy, tokens: host.tokens, gate });
}
