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
 * The engine that is left when every other one failed: it never changes a transcript, and says why it does not ask to
 * compress.
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
          // The contract's default, so that a host still learns when the window fills.
          thresholdTokens: Math.floor(usableTokens * 0.75),
          tailTokens: usableTokens,
          summaryTokens: 0,
        };
      },
      plan: async () => ({
        edits: [],
        state: null,
        notes: { reason: `The transcript is passed through as it is: ${why}.` },
      }),
      decide: (size) => {
        const usual = decide(size, initialTrigger, host.clock.now());
        if (!usual.compress) return usual;
        return {
          compress: false,
          effort: 'none',
          reason: 'blocked-ineffective',
          message: `${usual.message} But ${why}, so nothing is compressed: start a new session.`,
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
