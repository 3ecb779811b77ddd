import type { ModelPrices } from '@palimpsest/tokens/models';
import type { EngineRow } from '../measuring/run-engine.ts';
import type { ReplaySizes } from '../replay/replay.ts';
import { replayCost } from '../replay/replay-cost.ts';
import { overWindow } from '../replay/replay-figures.ts';
import { type Candidate, isUsable } from './verdict/better-engine.ts';
import { type Choice, chooseEngine, type WithoutEngine } from './verdict/choose-engine.ts';
import { lossSentences } from './verdict/losses.ts';
import { plainText, type Words, words } from './verdict/words.ts';

/** One engine's result on a session. */
export interface JudgedEngine {
  readonly row: Pick<
    EngineRow,
    'engine' | 'outcome' | 'reachedThreshold' | 'fitsWindow' | 'tokensAfter' | 'kept' | 'taskKept' | 'wireViolations'
  >;
  /** The session replayed with the engine; `null` if it was not replayed. */
  readonly replay: ReplaySizes | null;
}

/** What a verdict is made from. */
export interface VerdictInput {
  readonly windowTokens: number;
  readonly engines: readonly JudgedEngine[];
  /** The session replayed without an engine; `null` if it was not replayed. */
  readonly recorded: ReplaySizes | null;
  readonly prices: ModelPrices;
}

/** Which engine to choose for a session, and what each engine loses. Figures are not repeated: tables show them. */
export interface ComparisonVerdict {
  /** The first one names the engine, if any. */
  readonly sentences: readonly Words[];
  /** The sentences as plain text. */
  readonly text: string;
  /** The engine that is better than all others; see `isBetter`. `null` if none is, or if the session needs none. */
  readonly best: string | null;
}

/** Compares engines on one session in one window. */
export function verdictOn(input: VerdictInput): ComparisonVerdict {
  const by = (standing: Standing): readonly JudgedEngine[] =>
    input.engines.filter((one) => standingOf(one) === standing);
  const [running, waiting] = [by('running'), by('waiting')];
  if (running.length === 0)
    return toVerdict(null, [words`${waiting.length > 0 ? 'No engine would run yet.' : 'No engine removes anything.'}`]);
  const { best, sentences } = choiceFor(input, running, waiting);
  return toVerdict(best, [...sentences, ...lossSentences(running.map(({ row }) => row))]);
}

const toVerdict = (best: string | null, sentences: readonly Words[]): ComparisonVerdict => ({
  sentences,
  text: sentences.map(plainText).join(' '),
  best,
});

/** `running` compacts the session, `waiting` is not at its threshold yet, and `stuck` is, but found nothing to remove. */
type Standing = 'running' | 'waiting' | 'stuck' | 'failed';

function standingOf({ row, replay }: JudgedEngine): Standing {
  if (row.outcome === 'failed' || row.outcome === 'aborted') return 'failed';
  if (replay && replay.compactions.length > 0) return 'running';
  if (!row.reachedThreshold) return 'waiting';
  return row.outcome === 'unchanged' && replay?.refusals !== 0 ? 'stuck' : 'running';
}

/** The engine for one session. An engine that waits is compared, too: it sends the session whole. */
function choiceFor(
  { windowTokens, recorded, prices }: VerdictInput,
  running: readonly JudgedEngine[],
  waiting: readonly JudgedEngine[],
): Choice {
  const isPriced = running.every(({ replay }) => replay !== null);
  const costOf = (replay: ReplaySizes): number => replayCost(replay, prices).cached.at(-1) ?? 0;
  const judged = [...running, ...(isPriced ? waiting.filter(({ replay }) => replay !== null) : [])];
  const candidates = judged.map(({ row, replay }): Candidate => {
    const over = replay ? overWindow(replay, windowTokens) : 0;
    return {
      engine: row.engine,
      price: isPriced ? costOf(replay!) : row.tokensAfter,
      kept: row.kept,
      isUsable: isUsable(row, over),
    };
  });
  const without: WithoutEngine | null =
    isPriced && recorded
      ? { price: costOf(recorded), requests: recorded.sent.length, over: overWindow(recorded, windowTokens) }
      : null;
  return chooseEngine({ candidates, without, isPriced });
}
