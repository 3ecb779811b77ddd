import type { Sample } from '@palimpsest/eval/inputs/sample';
import type { ModelPrices } from '@palimpsest/tokens/models';
import type { EngineRow } from '../measuring/run-engine.ts';
import type { EngineReplay } from '../replay/replay.ts';
import { type ReplayFigures, replayFigures } from '../replay/replay-figures.ts';
import type { WindowChoice } from '../replay/window-choice.ts';
import type { EditedPrompt } from './page/messages.ts';
import { type ComparisonVerdict, type JudgedEngine, verdictOn } from './verdict.ts';

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
  readonly prices: ModelPrices;
  readonly verdict: Pick<ComparisonVerdict, 'text' | 'best'>;
}

/** The figures of an engine: at the end of its replay, or of a single compaction if the session was not replayed. */
export interface ComparedEngine extends EngineRow {
  /** `null` if it was not replayed, or if the engine failed. */
  readonly replay: ReplayFigures | null;
}

/** The comparison of one sample: the data of `--json`, the prompts that a page shows, and the verdict. */
export interface Comparison {
  readonly compared: ComparedSample;
  /** The prompt that each engine leaves; `null` if the engine failed. */
  readonly prompts: readonly (EditedPrompt | null)[];
  readonly verdict: ComparisonVerdict;
  /** The prompt sizes of the replays; `null` for one that was not made. */
  readonly sent: {
    readonly recorded: readonly number[] | null;
    readonly engines: readonly (readonly number[] | null)[];
  };
}

/** The result of one engine on a sample. */
export interface EngineResult extends JudgedEngine {
  readonly row: EngineRow;
  readonly replay: EngineReplay | null;
  /** The prompt at the end of the replay, or after the single compaction; `null` if the engine failed. */
  readonly prompt: EditedPrompt | null;
}

/** @param recorded the session replayed without an engine; `null` if it was not replayed */
export function toComparison(
  { found, messages, promptTokens, overheadTokens }: Sample,
  window: WindowChoice,
  prices: ModelPrices,
  recorded: EngineReplay | null,
  results: readonly EngineResult[],
): Comparison {
  const figuresOf = (replay: EngineReplay | null): ReplayFigures | null =>
    replay && replayFigures(replay, window.tokens, prices);
  const verdict = verdictOn({ windowTokens: window.tokens, engines: results, recorded, prices });
  const compared: ComparedSample = {
    id: found.id,
    file: found.file,
    line: found.line,
    messages: messages.length,
    tokens: promptTokens,
    overheadTokens,
    window,
    engines: results.map(({ row, replay }) => ({ ...row, replay: figuresOf(replay) })),
    recorded: figuresOf(recorded),
    prices,
    verdict: { text: verdict.text, best: verdict.best },
  };
  const sent = {
    recorded: recorded?.sent ?? null,
    engines: results.map(({ replay }) => replay?.sent ?? null),
  };
  return { compared, prompts: results.map(({ prompt }) => prompt), verdict, sent };
}
