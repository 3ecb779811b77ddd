import { type ContextEngine, createEngine, decide, type EngineHost, initialTrigger } from '@palimpsest/core';

export const passThroughName = 'pass-through';

/**
 * The engine that is left when every other one failed: it never changes a transcript, and says why it does not ask to
 * compress.
 */
export function createPassThrough(host: EngineHost, outOfService: readonly string[]): ContextEngine {
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
        notes: { reason: `The transcript is passed through as it is: ${names(outOfService)} out of service.` },
      }),
      decide: (size) => {
        const usual = decide(size, initialTrigger, host.clock.now());
        if (!usual.compress) return usual;
        return {
          compress: false,
          effort: 'none',
          reason: 'blocked-ineffective',
          message: `${usual.message} But ${names(outOfService)} out of service, so nothing is compressed: start a new session.`,
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
