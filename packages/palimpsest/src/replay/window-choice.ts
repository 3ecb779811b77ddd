import type { ContextEngine } from '@palimpsest/core';

/** Context windows in common use, in tokens. */
export const commonWindows: readonly number[] = [32_000, 64_000, 128_000, 200_000];

/** Windows for transcripts that fit every common one. */
const smallWindows: readonly number[] = [8_000, 16_000];

/** The context window chosen for a transcript. */
export interface WindowChoice {
  readonly tokens: number;
  /** `given` by the user, the largest window that the transcript does not fit (`outgrown`), or the `smallest`. */
  readonly by: 'given' | 'outgrown' | 'smallest';
}

/** Chooses the window for a transcript: the largest one that it outgrows, so that the engines have to act. */
export function chooseWindow(promptTokens: number, given?: number): WindowChoice {
  if (given !== undefined) return { tokens: given, by: 'given' };
  const windows = [...smallWindows, ...commonWindows];
  const outgrown = windows.findLast((window) => window < promptTokens);
  return outgrown === undefined ? { tokens: windows[0]!, by: 'smallest' } : { tokens: outgrown, by: 'outgrown' };
}

/** Sets an engine's window and returns the prompt size at which it compacts. */
export async function thresholdAt(engine: ContextEngine, window: number): Promise<number> {
  await engine.updateModel({ id: 'unnamed', contextLength: window });
  return engine.state.thresholdTokens;
}
