import { type EngineHost, readHandoff } from '@palimpsest/core';
import { type PrunePolicy, type Strategy, twoPhaseStrategies } from '@palimpsest/pruner';
import type { PruneCompactOptions } from './options.ts';

/** The first phase as a policy of the pruner: figures by the window, numbers that were given explicitly win. */
export function prunePolicy(
  options: PruneCompactOptions,
  contextLength: number,
  host: Pick<EngineHost, 'isRequest' | 'redact'>,
  keepLastExchanges: number = 0,
): PrunePolicy {
  return {
    ...(contextLength > 0 ? { adaptive: { contextLength } } : {}),
    ...(options.protectTokens === undefined ? {} : { protect: { tokens: options.protectTokens } }),
    keepTurns: Math.max(options.protectTurns, keepLastExchanges),
    isRequest: host.isRequest,
    ...(options.minimumTokens === undefined ? {} : { minimum: options.minimumTokens }),
    ...(options.protectTools === undefined ? {} : { protectTools: options.protectTools }),
    placeholder: options.placeholder,
    redact: host.redact,
    strategies: sinceCompaction,
  };
}

/** The usual strategies, held back from what stands before an earlier compaction: that has had its turn. */
const sinceCompaction: readonly Strategy[] = twoPhaseStrategies.map(({ name, propose }) => ({
  name,
  *propose(view) {
    const compactedAt = view.transcript.messages.findLastIndex((message) => readHandoff(message) !== null);
    for (const proposal of propose(view)) if (proposal.at > compactedAt) yield proposal;
  },
}));
