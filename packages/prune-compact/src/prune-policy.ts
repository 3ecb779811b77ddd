import { type EngineHost, type Message, readHandoff } from '@palimpsest/core';
import type { PrunePolicy } from '@palimpsest/pruner';
import type { PruneCompactOptions } from './options.ts';

/**
 * The first phase as a policy of the pruner: figures by the window, numbers that were given explicitly win. What stands
 * before an earlier compaction has had its turn.
 */
export function prunePolicy(
  messages: readonly Message[],
  options: PruneCompactOptions,
  contextLength: number,
  host: Pick<EngineHost, 'isRequest' | 'redact'>,
  keepLastExchanges: number = 0,
): PrunePolicy {
  return {
    ...(contextLength > 0 ? { adaptive: { contextLength } } : {}),
    ...(options.protectTokens === undefined ? {} : { protect: { tokens: options.protectTokens } }),
    keepTurns: Math.max(options.protectTurns, keepLastExchanges),
    // `keepLastExchanges` keeps whole turns. Only `protectTurns` falls back to tool exchanges if there is one prompt.
    stepsForTurns: keepLastExchanges === 0,
    isRequest: host.isRequest,
    ...(options.minimumTokens === undefined ? {} : { minimum: options.minimumTokens }),
    ...(options.protectTools === undefined ? {} : { protectTools: options.protectTools }),
    placeholder: options.placeholder,
    redact: host.redact,
    from: messages.findLastIndex((message) => readHandoff(message) !== null) + 1,
  };
}
