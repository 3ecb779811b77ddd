import type { Engines } from '@palimpsest/eval/engines/engines';
import { dialectOf, type Sample } from '@palimpsest/eval/inputs/sample';
import { createEngineHost } from '@palimpsest/registry';
import { examplePrices } from './replay/input-cost.ts';
import { promptAtEnd } from './replay/prompt-at.ts';
import { promptRow } from './replay/prompt-row.ts';
import type { ReplayRun } from './replay/replay.ts';
import { replayEngine } from './replay/replay-engine.ts';
import { failureReason, type RunOptions, runEngine } from './run-engine.ts';
import { type Comparison, type EngineResult, toComparison } from './to-comparison.ts';
import { chooseWindow } from './window-choice.ts';

/** Options for the engines of one sample. */
export interface CompareOptions extends RunOptions {
  readonly windowTokens?: number | undefined;
  /** False to compress once only. Summaries of a replay are written by rules. */
  readonly replays: boolean;
}

/** Runs all engines on one sample, sequentially and with the same window. */
export async function compareSample(
  sample: Sample,
  engines: Engines,
  options: CompareOptions,
  onEngine: (name: string) => void = () => {},
): Promise<Comparison> {
  const host = createEngineHost({ tokens: sample.tokens, ...dialectOf(sample) });
  const probes = await Promise.all(engines.names.map((name) => engines.start(name, host)));
  const window = await chooseWindow(sample.promptTokens, probes, options.windowTokens);
  const replayed = async (name: string | null): Promise<ReplayRun | null> =>
    options.replays ? replayEngine(engines, name, sample, window.tokens, options.targetTokens) : null;
  const recorded = (await replayed(null))?.figures ?? null;
  const results: EngineResult[] = [];
  for (const name of engines.names) {
    onEngine(name);
    const { row, result } = await runEngine(engines, name, sample, window.tokens, options);
    options.signal.throwIfAborted();
    const warnings = [...row.warnings];
    const run =
      result &&
      (await replayed(name).catch((error: unknown) => {
        warnings.push(`the session could not be replayed: ${failureReason(error)}`);
        return null;
      }));
    const prompt = run ? promptAtEnd(sample.messages, run) : null;
    const end = run && prompt && promptRow(name, sample, run.figures, prompt, window.tokens);
    results.push({
      single: { ...row, warnings },
      replayed: end && { figures: run.figures, end },
      prompt: prompt ?? result,
    });
  }
  return toComparison(sample, window, examplePrices, recorded, results);
}
