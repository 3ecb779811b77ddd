import { createEngineHost } from '@palimpsest/registry';
import type { Engines } from './engines.ts';
import { type EngineRow, type EngineRun, type RunOptions, runEngine } from './run-engine.ts';
import { dialectOf, type Sample } from './sample.ts';
import { chooseWindow, type WindowChoice } from './window-choice.ts';

/** The results of all engines on one sample, as `--json` prints them. */
export interface ComparedSample {
  readonly id: string;
  readonly file: string;
  readonly line: number;
  readonly messages: number;
  /** Estimated tokens of the whole prompt, tool schemas included. */
  readonly tokens: number;
  readonly overheadTokens: number;
  readonly window: WindowChoice;
  readonly engines: readonly EngineRow[];
}

export interface Comparison {
  readonly compared: ComparedSample;
  readonly runs: readonly EngineRun[];
}

/** Runs all engines on one sample, sequentially and with the same window. */
export async function compareSample(
  sample: Sample,
  engines: Engines,
  options: RunOptions & { readonly windowTokens?: number | undefined },
  onEngine: (name: string) => void = () => {},
): Promise<Comparison> {
  const { found, messages, promptTokens, overheadTokens } = sample;
  const host = createEngineHost({ tokens: sample.tokens, ...dialectOf(sample) });
  const probes = await Promise.all(engines.names.map((name) => engines.start(name, host)));
  const window = await chooseWindow(promptTokens, probes, options.windowTokens);
  const runs: EngineRun[] = [];
  for (const name of engines.names) {
    onEngine(name);
    runs.push(await runEngine(engines, name, sample, window.tokens, options));
  }
  const compared: ComparedSample = {
    id: found.id,
    file: found.file,
    line: found.line,
    messages: messages.length,
    tokens: promptTokens,
    overheadTokens,
    window,
    engines: runs.map((run) => run.row),
  };
  return { compared, runs };
}
