import { adaptiveProtect } from '@palimpsest/pruner';
import type { EngineSettings } from 'palimpsest/comparison/engine-settings';

/** What the settings amount to for one engine, in tokens. */
export interface EffectiveValues {
  readonly engine: string;
  readonly threshold: number;
  readonly protect: number;
  /** `null` if the engine chooses its target. */
  readonly target: number | null;
}

/** The share of the threshold that `compressor` keeps as its tail by default. */
export const defaultTailRatio = 0.2;

/** @param threshold the engine's threshold with these settings */
export function effectiveValues(engine: string, settings: EngineSettings, threshold: number): EffectiveValues {
  const { windowTokens, protectTokens, targetTokens } = settings;
  const byDefault = engine === 'compressor' ? Math.floor(threshold * defaultTailRatio) : adaptiveProtect(windowTokens);
  return { engine, threshold, protect: protectTokens ?? byDefault, target: targetTokens };
}
