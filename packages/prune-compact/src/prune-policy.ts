import { type EngineHost, type Message, readAnyHandoff } from '@palimpsest/core';
import type { PrunePolicy } from '@palimpsest/pruner';
import type { PruneCompactOptions } from './options.ts';

/**
 * Returns the pruner's policy for the first phase. Limits that the options do not set depend on the window. Messages
 * before an earlier handoff are not pruned.
 */
export function prunePolicy(
  messages: readonly Message[],
  options: PruneCompactOptions,
  host: Pick<EngineHost, 'isFromPerson' | 'reader' | 'redact'>,
  { contextLength, keepLastTurns = 0 }: { readonly contextLength: number; readonly keepLastTurns?: number | undefined },
): PrunePolicy {
  return {
    ...(contextLength > 0 ? { adaptive: { contextLength } } : {}),
    ...(options.protectTokens === undefined ? {} : { protect: { tokens: options.protectTokens } }),
    keepTurns: Math.max(options.protectTurns, keepLastTurns),
    // `keepLastTurns` keeps whole turns. Only `protectTurns` falls back to tool exchanges if there are too few
    // turns.
    stepsForTurns: keepLastTurns === 0,
    isFromPerson: host.isFromPerson,
    ...(options.minimumTokens === undefined ? {} : { minimum: options.minimumTokens }),
    ...(options.protectTools === undefined ? {} : { protectTools: options.protectTools }),
    placeholder: options.placeholder,
    redact: host.redact,
    from: messages.findLastIndex((message) => readAnyHandoff(message, host.reader) !== null) + 1,
  };
}
