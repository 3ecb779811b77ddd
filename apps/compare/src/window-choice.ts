import type { ContextEngine } from '@palimpsest/core';

/** Context windows in common use, in tokens. */
export const commonWindows: readonly number[] = [32_000, 64_000, 128_000, 200_000];

/** The window a transcript is looked at through. */
export interface WindowChoice {
  readonly tokens: number;
  /** `given` by the user; `outgrown`: the largest common window in which every engine would compress; `smallest`: it outgrows none. */
  readonly by: 'given' | 'outgrown' | 'smallest';
}

/**
 * Chooses the window for a transcript: the largest common one in which all engines are over their thresholds, which is
 * the moment at which a real session is compressed. One window for all engines, so that their results compare.
 */
export async function chooseWindow(
  promptTokens: number,
  engines: readonly ContextEngine[],
  given: number | undefined,
): Promise<WindowChoice> {
  if (given !== undefined) return { tokens: given, by: 'given' };
  for (const window of commonWindows.toReversed()) {
    const thresholds = await Promise.all(engines.map((engine) => thresholdAt(engine, window)));
    if (thresholds.every((threshold) => threshold <= promptTokens)) return { tokens: window, by: 'outgrown' };
  }
  return { tokens: commonWindows[0]!, by: 'smallest' };
}

/** Sets an engine's window and tells at which prompt size it would compress. */
export async function thresholdAt(engine: ContextEngine, window: number): Promise<number> {
  await engine.updateModel({ id: 'unnamed', contextLength: window });
  return engine.state.thresholdTokens;
}
