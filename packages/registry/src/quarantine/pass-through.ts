import type { ContextEngine, EngineHost } from '@palimpsest/core';
import { createEngine, decide, initialTrigger } from '@palimpsest/core/authoring';

export const passThroughName = 'pass-through';

/** The unavailable engines, for messages. */
export interface MissingEngines {
  readonly outOfService: readonly string[];
  /** Engines in service that failed on the current transcript. */
  readonly failed: readonly string[];
}

/**
 * Creates the engine that serves when all others have failed. It never changes a transcript and never requests a
 * compaction; its decision states the reason.
 */
export function createPassThrough(host: EngineHost, missing: MissingEngines): ContextEngine {
  const why = [
    missing.outOfService.length > 0 ? `${names(missing.outOfService)} out of service` : '',
    ...missing.failed.map((name) => `engine "${name}" failed on it`),
  ]
    .filter((reason) => reason !== '')
    .join(', and ');
  return createEngine<null>(
    {
      initial: null,
      budget: ({ contextLength, reserveOutputTokens = 0 }) => {
        const usableTokens = Math.max(0, contextLength - reserveOutputTokens);
        return {
          contextLength,
          usableTokens,
          // The contract's default, so that the host is still informed when the window fills up.
          thresholdTokens: Math.floor(usableTokens * 0.75),
          tailTokens: usableTokens,
          summaryTokens: 0,
        };
      },
      plan: async () => ({
        edits: [],
        state: null,
        notes: { reason: `The transcript is passed through unchanged: ${why}.` },
      }),
      decide: (size) => {
        const usual = decide(size, initialTrigger, host.clock.now());
        if (!usual.compress) return usual;
        return {
          compress: false,
          effort: 'none',
          reason: 'blocked-ineffective',
          message: `${usual.message} However, ${why}, so nothing is compressed. Start a new session.`,
          retryAt: null,
        };
      },
      hasContentToCompress: () => false,
    },
    host,
    { name: passThroughName },
  );
}

function names(engines: readonly string[]): string {
  const quoted = engines.map((engine) => `"${engine}"`);
  return quoted.length === 1 ? `engine ${quoted[0]} is` : `engines ${quoted.join(' and ')} are`;
}
