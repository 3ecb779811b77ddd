import type { ContextEngine } from '@palimpsest/core';
import type { Engines } from '@palimpsest/eval/engines/engines';
import { dialectOf, type Sample } from '@palimpsest/eval/inputs/sample';
import { createEngineHost } from '@palimpsest/registry';

/** Context windows in common use, in tokens. */
export const commonWindows: readonly number[] = [32_000, 64_000, 128_000, 200_000];

/** Windows for transcripts that are not compacted in any common one. */
const smallWindows: readonly number[] = [8_000, 16_000];

/** The context window chosen for a transcript. */
export interface WindowChoice {
  readonly tokens: number;
  /** `given` by the user, the largest common window in which the transcript is compacted (`outgrown`), or the `smallest`. */
  readonly by: 'given' | 'outgrown' | 'smallest';
}

/**
 * Chooses the window for a transcript: the largest common one in which every engine is over its threshold, as in a real
 * session at the time of compaction. All engines get the same window, so that their results are comparable.
 */
export async function chooseWindow(sample: Sample, engines: Engines, given?: number): Promise<WindowChoice> {
  if (given !== undefined) return { tokens: given, by: 'given' };
  const host = createEngineHost({ tokens: sample.tokens, ...dialectOf(sample) });
  const probes = await Promise.all(engines.names.map((name) => engines.start(name, host)));
  const windows = [...smallWindows, ...commonWindows];
  for (const window of windows.toReversed()) {
    const thresholds = await Promise.all(probes.map((engine) => thresholdAt(engine, window)));
    if (thresholds.every((threshold) => threshold <= sample.promptTokens)) return { tokens: window, by: 'outgrown' };
  }
  return { tokens: windows[0]!, by: 'smallest' };
}

/** Sets an engine's window and returns the prompt size at which it compacts. */
export async function thresholdAt(engine: ContextEngine, window: number): Promise<number> {
  await engine.updateModel({ id: 'unnamed', contextLength: window });
  return engine.state.thresholdTokens;
}
