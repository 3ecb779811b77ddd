import { createEngineHost } from '@palimpsest/registry';
import type { Engines } from './engines.ts';
import { examplePrices, type InputPrices } from './replay/input-cost.ts';
import type { Replay } from './replay/replay.ts';
import { replayEngine } from './replay/replay-engine.ts';
import { type ReplayFigures, replayFigures } from './replay/replay-figures.ts';
import { type EngineRow, type EngineRun, type RunOptions, runEngine } from './run-engine.ts';
import { dialectOf, type Sample } from './sample.ts';
import { type Verdict, verdictOn } from './verdict.ts';
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
  readonly engines: readonly ComparedEngine[];
  /** The session replayed without an engine; `null` if it was not replayed. */
  readonly recorded: ReplayFigures | null;
  /** The prices of the replays. */
  readonly prices: InputPrices;
  readonly verdict: Pick<Verdict, 'text' | 'best'>;
}

/** One compaction of the whole session, and the session replayed with the engine. */
export interface ComparedEngine extends EngineRow {
  /** `null` if it was not replayed, or if the engine failed. */
  readonly replay: ReplayFigures | null;
}

export interface Comparison {
  readonly compared: ComparedSample;
  readonly runs: readonly EngineRun[];
  readonly verdict: Verdict;
}

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
  const { found, messages, promptTokens, overheadTokens } = sample;
  const host = createEngineHost({ tokens: sample.tokens, ...dialectOf(sample) });
  const probes = await Promise.all(engines.names.map((name) => engines.start(name, host)));
  const window = await chooseWindow(promptTokens, probes, options.windowTokens);
  const replayed = (name: string | null): Promise<Replay | null> =>
    options.replays
      ? replayEngine(engines, name, sample, window.tokens, options.targetTokens).catch(() => null)
      : Promise.resolve(null);
  const recorded = await replayed(null);
  const runs: (EngineRun & { readonly replay: Replay | null })[] = [];
  for (const name of engines.names) {
    onEngine(name);
    const run = await runEngine(engines, name, sample, window.tokens, options);
    options.signal.throwIfAborted();
    runs.push({ ...run, replay: run.result && (await replayed(name)) });
  }
  const prices = examplePrices;
  const verdict = verdictOn({ windowTokens: window.tokens, engines: runs, recorded, prices });
  const figures = (replay: Replay | null): ReplayFigures | null =>
    replay && replayFigures(replay, window.tokens, prices);
  const compared: ComparedSample = {
    id: found.id,
    file: found.file,
    line: found.line,
    messages: messages.length,
    tokens: promptTokens,
    overheadTokens,
    window,
    engines: runs.map(({ row, replay }) => ({ ...row, replay: figures(replay) })),
    recorded: figures(recorded),
    prices,
    verdict: { text: verdict.text, best: verdict.best },
  };
  return { compared, runs, verdict };
}
