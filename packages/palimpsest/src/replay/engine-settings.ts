import type { ContextConfig } from '@palimpsest/registry';

/** Settings the user can change in the web view, in tokens. `null` means each engine's default. */
export interface EngineSettings {
  readonly windowTokens: number;
  /** Fraction of the usable window at which the engine compacts. */
  readonly threshold: number | null;
  /**
   * How many of the newest tokens stay unchanged: the tail of `compressor`, the protected tool output of
   * `prune-compact`.
   */
  readonly protectTokens: number | null;
  /** Target size of a prompt over the threshold. */
  readonly targetTokens: number | null;
}

/** Each engine's defaults. The window of 0 tokens is a placeholder until a transcript is open. */
export const defaultSettings: EngineSettings = {
  windowTokens: 0,
  threshold: null,
  protectTokens: null,
  targetTokens: null,
};

/** The registry configuration that applies the settings to one engine, without a fallback. */
export function configFor(engine: string, { threshold, protectTokens }: EngineSettings): ContextConfig {
  return {
    engine,
    fallback: false,
    engines: {
      compressor: {
        // The default minimum threshold would override the fraction in small windows.
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
