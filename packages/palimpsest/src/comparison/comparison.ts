import type { Engines } from '@palimpsest/eval/engines/engines';
import type { Sample } from '@palimpsest/eval/inputs/sample';
import { describeFailure, type EngineRunOptions, runEngine } from '../measuring/run-engine.ts';
import { promptAtEnd } from '../replay/prompt-at.ts';
import { promptRow } from '../replay/prompt-row.ts';
import { replay } from '../replay/replay.ts';
import { examplePrices } from '../replay/replay-cost.ts';
import { replayEngine } from '../replay/replay-engine.ts';
import { chooseWindow } from '../replay/window-choice.ts';
import { type Comparison, type EngineResult, toComparison } from './to-comparison.ts';

/** Options for the engines of one sample. */
export interface CompareOptions extends EngineRunOptions {
  readonly windowTokens?: number | undefined;
  /** False to compact once only. Summaries of a replay are written by rules. */
  readonly replays: boolean;
}

/** Runs all engines on one sample, sequentially and with the same window. */
export async function compareSample(
  sample: Sample,
  engines: Engines,
  options: CompareOptions,
  onEngine: (name: string) => void = () => {},
): Promise<Comparison> {
  const window = chooseWindow(sample.promptTokens, options.windowTokens);
  const results: EngineResult[] = [];
  for (const name of engines.names) {
    onEngine(name);
    results.push(await resultOf(name, sample, engines, { ...options, windowTokens: window.tokens }));
    options.signal.throwIfAborted();
  }
  const recorded = options.replays ? (await replay(sample, null)).figures : null;
  return toComparison(sample, window, examplePrices, recorded, results);
}

/** Replays the session with an engine. If that is not wanted or not possible, compacts it once as a whole. */
async function resultOf(
  name: string,
  sample: Sample,
  engines: Engines,
  options: CompareOptions & { readonly windowTokens: number },
): Promise<EngineResult> {
  const { windowTokens, targetTokens } = options;
  let problem: string | null = null;
  if (options.replays)
    try {
      const run = await replayEngine(engines, name, sample, { windowTokens, targetTokens });
      const prompt = promptAtEnd(sample.messages, run);
      return { row: promptRow(name, sample, run.figures, prompt, windowTokens), replay: run.figures, prompt };
    } catch (error) {
      problem = `the session could not be replayed: ${describeFailure(error)}`;
    }
  const { row, result } = await runEngine(engines, name, sample, { ...options, windowTokens });
  const warnings = problem === null || result === null ? row.warnings : [...row.warnings, problem];
  return { row: { ...row, warnings }, replay: null, prompt: result };
}
