import type { Applied, Message } from '@palimpsest/core';
import { createEngineHost } from '@palimpsest/registry';
import type { Engines } from './engines.ts';
import { examplePrices, type InputPrices } from './replay/input-cost.ts';
import { promptAtEnd } from './replay/prompt-at.ts';
import { promptRow } from './replay/prompt-row.ts';
import type { Replay, ReplayRun } from './replay/replay.ts';
import { replayEngine } from './replay/replay-engine.ts';
import { type ReplayFigures, replayFigures } from './replay/replay-figures.ts';
import { type EngineRow, type RunOptions, runEngine } from './run-engine.ts';
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
  readonly replay: EngineReplay | null;
}

/** A replay, and the same figures as of one compaction for the prompt at its end. */
interface EngineReplay extends ReplayFigures {
  readonly end: EngineRow;
}

/** How an engine appears in the report: the end of its replay, or a single compaction if it was not replayed. */
export interface ShownEngine {
  readonly row: ComparedEngine;
  /** `null` if the engine failed. */
  readonly prompt: Applied<Message> | null;
}

export interface Comparison {
  readonly compared: ComparedSample;
  readonly shown: readonly ShownEngine[];
  readonly verdict: Verdict;
}

export interface CompareOptions extends RunOptions {
  readonly windowTokens?: number | undefined;
  /** False to compress once only. Summaries of a replay are written by rules. */
  readonly replays: boolean;
}

const prices = examplePrices;

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
  const replayed = (name: string | null): Promise<ReplayRun | null> =>
    options.replays
      ? replayEngine(engines, name, sample, window.tokens, options.targetTokens).catch(() => null)
      : Promise.resolve(null);
  const recorded = (await replayed(null))?.figures ?? null;
  const compared: ComparedEngine[] = [];
  const shown: ShownEngine[] = [];
  const replays: (Replay | null)[] = [];
  for (const name of engines.names) {
    onEngine(name);
    const { row, result } = await runEngine(engines, name, sample, window.tokens, options);
    options.signal.throwIfAborted();
    const run = result && (await replayed(name));
    const end = run && shownReplay(name, sample, run, window.tokens);
    compared.push({ ...row, replay: end?.row.replay ?? null });
    shown.push(end ?? { row: { ...row, replay: null }, prompt: result });
    replays.push(run?.figures ?? null);
  }
  const judged = shown.map(({ row }, at) => ({ row, replay: replays[at]! }));
  const verdict = verdictOn({ windowTokens: window.tokens, engines: judged, recorded, prices });
  return {
    compared: {
      id: found.id,
      file: found.file,
      line: found.line,
      messages: messages.length,
      tokens: promptTokens,
      overheadTokens,
      window,
      engines: compared,
      recorded: recorded && replayFigures(recorded, window.tokens, prices),
      prices,
      verdict: { text: verdict.text, best: verdict.best },
    },
    shown,
    verdict,
  };
}

function shownReplay(name: string, sample: Sample, run: ReplayRun, windowTokens: number): ShownEngine {
  const prompt = promptAtEnd(sample.messages, run);
  const end = promptRow(name, sample, run.figures, prompt, windowTokens);
  return { row: { ...end, replay: { ...replayFigures(run.figures, windowTokens, prices), end } }, prompt };
}
