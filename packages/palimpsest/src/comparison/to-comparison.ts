import type { Applied, Message } from '@palimpsest/core';
import type { Sample } from '@palimpsest/eval/inputs/sample';
import type { InputPrices } from './replay/input-cost.ts';
import type { Replay } from './replay/replay.ts';
import { type ReplayFigures, replayFigures } from './replay/replay-figures.ts';
import type { EngineRow } from './run-engine.ts';
import { type Verdict, verdictOn } from './verdict.ts';
import type { WindowChoice } from './window-choice.ts';

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

/** The comparison of one sample: the data of `--json`, what screen and page show, and the verdict. */
export interface Comparison {
  readonly compared: ComparedSample;
  readonly shown: readonly ShownEngine[];
  readonly verdict: Verdict;
}

/** What one engine made of a sample. */
export interface EngineResult {
  /** The figures of one compaction of the whole session; those of the replay's end if there is only a replay. */
  readonly single: EngineRow;
  /** The replay, and the figures of the prompt at its end; `null` if it was not replayed. */
  readonly replayed: { readonly figures: Replay; readonly end: EngineRow } | null;
  /** The prompt at the end of the replay, or after the single compaction; `null` if the engine failed. */
  readonly prompt: Applied<Message> | null;
}

/** @param recorded the session replayed without an engine; `null` if it was not replayed */
export function toComparison(
  { found, messages, promptTokens, overheadTokens }: Sample,
  window: WindowChoice,
  prices: InputPrices,
  recorded: Replay | null,
  results: readonly EngineResult[],
): Comparison {
  const replays = results.map(({ replayed }): EngineReplay | null =>
    replayed === null ? null : { ...replayFigures(replayed.figures, window.tokens, prices), end: replayed.end },
  );
  const shown = results.map(({ single, replayed, prompt }, at): ShownEngine => {
    return { row: { ...(replayed?.end ?? single), replay: replays[at]! }, prompt };
  });
  const judged = results.map(({ single, replayed }) => ({
    row: replayed?.end ?? single,
    replay: replayed?.figures ?? null,
  }));
  const verdict = verdictOn({ windowTokens: window.tokens, engines: judged, recorded, prices });
  const compared: ComparedSample = {
    id: found.id,
    file: found.file,
    line: found.line,
    messages: messages.length,
    tokens: promptTokens,
    overheadTokens,
    window,
    engines: results.map(({ single }, at) => ({ ...single, replay: replays[at]! })),
    recorded: recorded && replayFigures(recorded, window.tokens, prices),
    prices,
    verdict: { text: verdict.text, best: verdict.best },
  };
  return { compared, shown, verdict };
}
