import type { ContextConfig } from '@palimpsest/registry';

/** What somebody may turn to see engines behave differently. `null` leaves a figure to each engine. Tokens. */
export interface EngineSettings {
  readonly windowTokens: number;
  /** Fraction of the usable window that triggers. */
  readonly threshold: number | null;
  /** Newest tokens that stay as they are: the tail of "compressor", the tool output that "prune-compact" spares. */
  readonly protectTokens: number | null;
  /** Where to land, for a prompt over the threshold. */
  readonly targetTokens: number | null;
}

/** Every engine as it is when nobody turned anything; a window of 0 tokens is none. */
export const untouched: EngineSettings = { windowTokens: 0, threshold: null, protectTokens: null, targetTokens: null };

/** The configuration by which a registry makes one engine so that it obeys the settings; nothing replaces it when it fails. */
export function configFor(engine: string, { threshold, protectTokens }: EngineSettings): ContextConfig {
  return {
    engine,
    fallback: false,
    engines: {
      compressor: {
        // The floor under fractions would hold small windows at a threshold of its own.
        ...(threshold === null ? {} : { threshold, minimumThreshold: 0 }),
        ...(protectTokens === null ? {} : { tail: { tokens: protectTokens } }),
      },
      'prune-compact': {
        ...(threshold === null ? {} : { threshold }),
        ...(protectTokens === null ? {} : { protectTokens }),
      },
    },
  };
}
